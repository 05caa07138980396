import {
  actionOf,
  childrenInOrder,
  endOf,
  isNotTaken,
  type PlannedStep,
  type SpanNode,
  stateIfBegun,
} from '../mapping/index.js'
import { decodeFields, everySpanFields, parseJson, type State } from '../semconv/index.js'

/** What an action is: a tool call, the run of an agent, or the work on a planned step. */
export type ActionKind = 'tool' | 'agent' | 'step'

/** Something that a plan did. Calls that guardrails stopped, and calls that wait for a person, are left out. */
export interface Action {
  readonly kind: ActionKind
  readonly name: string
  /** The agent that did it. */
  readonly by: string
  readonly node: SpanNode
  readonly state: State | undefined
  readonly start: bigint
  readonly end: bigint
  /** Whether the times are derived, so that only the order of the record counts. */
  readonly isUntimed: boolean
  /** The position among all actions of its kind. */
  readonly place: number
  /** The parsed arguments; text that is no JSON is one value. Undefined if they were not recorded. */
  readonly data: () => { readonly value: unknown } | undefined
}

const EVERY = { agent: everySpanFields.agentName, isUntimed: everySpanFields.timeSynthetic }

/** Returns the nodes at and below a plan, parents first and siblings in the order of their work. */
export function nodesInOrder(plan: SpanNode): SpanNode[] {
  const found: SpanNode[] = []
  const pending = [plan]
  for (let next = pending.pop(); next; next = pending.pop()) {
    found.push(next)
    for (const child of childrenInOrder(next).reverse()) pending.push(child)
  }
  return found
}

/** Returns what a plan and its sub-plans did, by kind and in order. */
export function planActions(
  nodes: readonly SpanNode[],
  steps: readonly PlannedStep[],
): Readonly<Record<ActionKind, readonly Action[]>> {
  return {
    tool: inOrder(nodes.filter(isCallMade).map(callAction)),
    agent: inOrder(nodes.filter((node) => node.role === 'agent' && stateIfBegun(node) !== undefined).map(agentAction)),
    step: inOrder(steps.map(stepAction).filter((step) => step !== undefined)),
  }
}

const isCallMade = (node: SpanNode): boolean =>
  node.role === 'tool' && !isNotTaken(node) && stateIfBegun(node) !== 'waiting'

type Unplaced = Omit<Action, 'place'>

/** Sorts actions by start, or keeps the order of the record if times are derived. */
function inOrder(actions: readonly Unplaced[]): Action[] {
  const sorted = actions.some(({ isUntimed }) => isUntimed)
    ? actions
    : actions.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
  return sorted.map((action, place) => ({ ...action, place }))
}

function ofNode(kind: ActionKind, node: SpanNode): Unplaced {
  const { agent = '', isUntimed = false } = decodeFields(EVERY, node.span.attributes)
  const { startTimeUnixNano: start } = node.span
  return {
    kind,
    name: agent,
    by: agent,
    node,
    state: stateIfBegun(node),
    start,
    end: node.span.pending ? NEVER : endOf(node.span),
    isUntimed,
    data: () => undefined,
  }
}

/** Later than any time: the end of an action that has not ended. */
const NEVER = 1n << 64n

function callAction(node: SpanNode): Unplaced {
  const { name = '', arguments: text } = actionOf(node)
  let known: { readonly value: unknown } | undefined
  const data = () => (text === undefined ? undefined : (known ??= { value: parseJson(text) ?? text }))
  return { ...ofNode('tool', node), name, data }
}

const agentAction = (node: SpanNode): Unplaced => ofNode('agent', node)

function stepAction({ title, state, agents, calls }: PlannedStep): Unplaced | undefined {
  const work = [...agents, ...calls]
  const [first] = work
  if (!first) return undefined
  const ends = work.map((node) => ofNode('step', node).end)
  return { ...ofNode('step', first), name: title, state, end: ends.reduce((a, b) => (a > b ? a : b)) }
}

/** Whether an action was over before another one began. */
export const precedes = (a: Action, b: Action): boolean =>
  a.kind === b.kind && (a.isUntimed || b.isUntimed) ? a.place < b.place : a.end <= b.start && a.node !== b.node
