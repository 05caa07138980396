import { decodeFields, guardrailFields, type RemarkKind, type State } from '../../semconv/index.js'
import { type Failure, judgementOf } from '../faults/index.js'
import { oneLine, type SpanNode } from '../tree/index.js'
import { activityRemark } from './activity.js'
import { faultRemarks } from './fault-remarks.js'
import { stepsAround } from './place.js'
import { othersText, type Remark } from './remark.js'
import { waitRemarks } from './wait-remarks.js'

/** A plan, as far as its headline depends on it. */
export interface PlanUnderWay {
  readonly head: SpanNode
  readonly state: State
  /** The spans of the plan and its sub-plans. */
  readonly nodes: readonly SpanNode[]
  /** The original failures among them, by end. */
  readonly failures: readonly Failure[]
}

/** The remarks about a plan in each state, the first one first. Other kinds are left out. */
const ORDER: Readonly<Record<State, readonly RemarkKind[]>> = {
  planning: ['activity', 'unsafe', 'fault'],
  running: ['activity', 'unsafe', 'fault'],
  updating: ['activity', 'unsafe', 'fault'],
  waiting: ['wait', 'unsafe', 'fault'],
  completed: ['unsafe', 'fault'],
  failed: ['fault', 'unsafe'],
  cancelled: ['activity', 'unsafe', 'fault'],
  interrupted: ['activity', 'unsafe', 'fault'],
}

/**
 * Returns what a reader needs to know first about a plan, the most important first: why it failed, what it does now or
 * was doing when it ended, for what it waits, and which unsafe actions were taken. Empty for a plan without any of it.
 */
export function headlineOf(plan: PlanUnderWay): Remark[] {
  const { head, state, nodes, failures } = plan
  const stepOf = stepsAround(head)
  const remarks: Record<RemarkKind, () => Remark[]> = {
    fault: () => faultRemarks(failures, { head, stepOf }),
    activity: () => activityRemark(nodes, { head, state, stepOf }),
    wait: () => waitRemarks(nodes),
    unsafe: () => unsafeRemarks(nodes),
  }
  return ORDER[state].flatMap((kind) => remarks[kind]())
}

const { policies } = guardrailFields

/** Describes the unsafe action with the highest risk that was taken, and counts the others. */
function unsafeRemarks(nodes: readonly SpanNode[]): Remark[] {
  const taken = nodes.flatMap((node) => {
    const judgement = judgementOf(node)
    return judgement?.isUnsafe && judgement.isTaken ? [{ node, judgement }] : []
  })
  const [first] = taken.sort((a, b) => (b.judgement.score ?? 0) - (a.judgement.score ?? 0))
  if (!first) return []
  const { tool, score } = first.judgement
  const { policies: violated = [] } = decodeFields({ policies }, first.node.span.attributes)
  const found = [score === undefined ? '' : `risk ${score}`, violated.join(', ')].filter(Boolean).join(', ')
  const text = `unsafe, but done: ${tool || 'an action'}${found && ` (${found})`}`
  const others = othersText(taken.length - 1, 'unsafe action')
  return [{ kind: 'unsafe', text: oneLine(text) + others, node: first.node }]
}
