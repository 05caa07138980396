import { oneLine, stateIfBegun, type SpanNode } from '../tree/index.js'
import { ATTR, isOver, type State } from '../../semconv/index.js'
import { isNotTaken } from '../faults/index.js'
import type { StepOf } from './place.js'
import { nearestAgent, type Remark, subjectOf } from './remark.js'

/** The states of spans that are at work in a plan, or were when a plan ended without them. */
const AT_WORK: readonly (State | undefined)[] = ['running', 'planning', 'updating']
const CUT_OFF: readonly (State | undefined)[] = ['interrupted', 'cancelled']

/**
 * Describes the work in progress of a plan, by its innermost span at work that began last: the step, the agent, and the
 * tool or model that is called. For a plan that was cancelled or interrupted, the work that was cut off.
 */
export function activityRemark(
  nodes: readonly SpanNode[],
  {
    head,
    state,
    stepOf,
  }: {
    readonly head: SpanNode
    readonly state: State
    readonly stepOf: (node: SpanNode) => StepOf | undefined
  },
): Remark[] {
  const states = isOver(state) ? CUT_OFF : AT_WORK
  const atWork = nodes.filter((node) => node !== head && canBeAtWork(node) && states.includes(stateIfBegun(node)))
  const around = new Set(atWork.map(({ parent }) => parent))
  const last = atWork
    .filter((node) => !around.has(node))
    .reduce<SpanNode | undefined>((a, b) => (a && a.begun > b.begun ? a : b), undefined)
  if (!last) return []
  const text = textOf(last, stepOf(last))
  return text === '' ? [] : [{ kind: 'activity', text, node: last }]
}

/** Whether a span may be at work. A state is costly to decide, and most spans have ended as completed or failed. */
const canBeAtWork = (node: SpanNode): boolean =>
  node.role !== undefined &&
  node.role !== 'wait' &&
  (node.span.pending || !ENDED.has(node.span.attributes[ATTR.state])) &&
  !isNotTaken(node)

/** The recorded states, or none, with which an ended span is over by itself. */
const ENDED: ReadonlySet<string | undefined> = new Set([undefined, 'completed', 'failed'])

function textOf(node: SpanNode, step: StepOf | undefined): string {
  const agent = nearestAgent(node)
  const parts = [
    step && `step ${step.index + 1} of ${step.count}${step.title && ` ${step.title}`}`,
    agent && !step?.title.includes(subjectOf(agent)) && subjectOf(agent),
    node.role === 'planning' ? 'planning' : node === agent ? '' : subjectOf(node),
  ]
  return oneLine([...new Set(parts.filter(Boolean))].join(', '))
}
