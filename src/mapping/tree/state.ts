import { ATTR, isOver, STATES, type State } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { AS_TOLD, NO_STATE, STATE_RULES, type StateFact } from './state-rules.js'
import { ancestors, nearest, type SpanNode } from './span-node.js'

/** The systems' own words for the state of a plan, agent, step or tool, in lower case. */
export const STATE_WORDS: ReadonlyMap<string, State> = new Map<string, State>(
  Object.entries({
    created: 'planning',
    planning: 'planning',
    running: 'running',
    in_progress: 'running',
    started: 'running',
    executing: 'running',
    updated: 'updating',
    updating: 'updating',
    request_changes: 'updating',
    waiting: 'waiting',
    wait: 'waiting',
    finished: 'completed',
    completed: 'completed',
    success: 'completed',
    called: 'completed',
    accept_plan: 'completed',
    failed: 'failed',
    error: 'failed',
    blocked: 'failed',
    abort: 'cancelled',
    refused: 'cancelled',
    cancelled: 'cancelled',
  }),
)

/** The state that a system's own word stands for; undefined for one that says "not begun", or is unknown. */
export const stateOfWord = (word: string | undefined): State | undefined =>
  word === undefined ? undefined : STATE_WORDS.get(word.toLowerCase())

const isState = (text: string | undefined): text is State => STATES.some((state) => state === text)

/** The state that a span itself tells. A wait may tell it by its field `waiting` alone. */
function toldState({ attributes, pending }: FoldedSpan): State | undefined {
  const told = attributes[ATTR.state]
  if (isState(told)) return pending && isOver(told) ? undefined : told
  return attributes[ATTR.spanKind] === 'wait' && attributes[ATTR.waitWaiting] === 'true' ? 'waiting' : undefined
}

const FACTS: Readonly<Record<StateFact, (node: SpanNode, told: State | undefined) => boolean>> = {
  ended: ({ span }) => !span.pending,
  hasError: ({ span }) => span.statusCode === 'ERROR',
  tells: (_, told) => told !== undefined,
  tellsNothing: (_, told) => told === undefined,
  tellsOver: (_, told) => isOver(told),
  tellsWaiting: (_, told) => told === 'waiting',
  // The list tells of an agent whose record was imported alone that it is completed.
  notBegun: ({ span: { attributes }, role }) =>
    role === 'agent' && (attributes[ATTR.status] ?? '') !== '' && (attributes[ATTR.recordDialect] ?? '') === '',
  isPlan: ({ role }) => role === 'plan',
  isWait: ({ role }) => role === 'wait',
  leftBehind: ({ around }) => around.leftBehind,
  belowOver: ({ around }) => around.belowOver,
  belowSuspended: ({ around }) => around.belowSuspended,
  awaits: ({ around }) => around.awaits,
  isSilent: ({ around }) => around.isSilent,
  hasAgent: (node) => nearest(node, 'agent', ['planning']).length > 0,
}

/** The rules with their tests: a state is asked for several times for each span. */
const RULES = STATE_RULES.map(({ when, state }) => ({ tests: when.map((fact) => FACTS[fact]), state }))

/** Where what a span stands for stands; undefined for what has not begun. */
export function standingOf(node: SpanNode): State | undefined {
  const told = toldState(node.span)
  const rule = RULES.find(({ tests }) => tests.every((holds) => holds(node, told)))
  if (!rule || rule.state === NO_STATE) return undefined
  return rule.state === AS_TOLD ? told : rule.state
}

/** Where a span's plan, agent or cycle stands; what has not begun is planned. */
export const stateOf = (node: SpanNode): State => standingOf(node) ?? 'planning'

/** Whether an answer was still awaited when the wait was last heard of. */
export const isOpenWait = ({ pending, attributes }: FoldedSpan): boolean =>
  pending || attributes[ATTR.state] === 'waiting'

/** Whether a wait's answer is still awaited. */
export const isAwaited = (wait: SpanNode): boolean => stateOf(wait) === 'waiting'

/** Whether what a span stands for has no end yet: it was not over when it was last heard of. */
export const isUnended = (node: SpanNode): boolean => node.span.pending || !isOver(stateOf(node))

/** Where a span stands, but for what is concluded from silence: no record changes with time alone. */
export function lastingState(node: SpanNode): State {
  const belowOver = node.around.belowOver && isBelowOverPlan(node)
  return stateOf({ ...node, around: { ...node.around, belowOver, isSilent: false } })
}

function isBelowOverPlan(node: SpanNode): boolean {
  for (const above of ancestors(node)) if (isOverPlan(above)) return true
  return false
}

const isOverPlan = (node: SpanNode): boolean => node.role === 'plan' && !node.span.pending && isOver(stateOf(node))
