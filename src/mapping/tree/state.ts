import { ATTR, isOver, STATES, type State } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { AS_RECORDED, NO_STATE, STATE_RULES, type StateFact } from './state-rules.js'
import { ancestors, nearest, type SpanNode } from './span-node.js'

/** The source systems' words for the state of a plan, agent, step or tool, in lower case. */
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

/** Returns the state for a source system's word. Undefined for unknown words and for words that mean "not begun". */
export const stateOfWord = (word: string | undefined): State | undefined =>
  word === undefined ? undefined : STATE_WORDS.get(word.toLowerCase())

const isState = (text: string | undefined): text is State => STATES.some((state) => state === text)

/** Returns the state that a span records. A wait may record it in its field `waiting` only. */
function recordedState({ attributes, pending }: FoldedSpan): State | undefined {
  const recorded = attributes[ATTR.state]
  if (isState(recorded)) return pending && isOver(recorded) ? undefined : recorded
  return attributes[ATTR.spanKind] === 'wait' && attributes[ATTR.waitWaiting] === 'true' ? 'waiting' : undefined
}

const FACTS: Readonly<Record<StateFact, (node: SpanNode, recorded: State | undefined) => boolean>> = {
  ended: ({ span }) => !span.pending,
  hasError: ({ span }) => span.statusCode === 'ERROR',
  recordsState: (_, recorded) => recorded !== undefined,
  recordsNoState: (_, recorded) => recorded === undefined,
  recordsOver: (_, recorded) => isOver(recorded),
  recordsWaiting: (_, recorded) => recorded === 'waiting',
  // Lists report an agent whose record was imported alone as completed.
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

/** The rules with their tests resolved, because states are computed several times for each span. */
const RULES = STATE_RULES.map(({ when, state }) => ({ tests: when.map((fact) => FACTS[fact]), state }))

/** Returns the state of a span, or undefined if it has not begun. */
export function stateIfBegun(node: SpanNode): State | undefined {
  const recorded = recordedState(node.span)
  const rule = RULES.find(({ tests }) => tests.every((holds) => holds(node, recorded)))
  if (!rule || rule.state === NO_STATE) return undefined
  return rule.state === AS_RECORDED ? recorded : rule.state
}

/** Returns the state of a span. A span that has not begun counts as `planning`. */
export const stateOf = (node: SpanNode): State => stateIfBegun(node) ?? 'planning'

/** Whether a wait was still unanswered at its last update. */
export const isOpenWait = ({ pending, attributes }: FoldedSpan): boolean =>
  pending || attributes[ATTR.state] === 'waiting'

/** Whether a wait still needs an answer. */
export const isAwaited = (wait: SpanNode): boolean => stateOf(wait) === 'waiting'

/** Whether a span's plan, agent, cycle or call is not over. */
export const isUnfinished = (node: SpanNode): boolean => node.span.pending || !isOver(stateOf(node))

/** Returns the state of a span without conclusions from silence: a record never changes with time alone. */
export function lastingState(node: SpanNode): State {
  const belowOver = node.around.belowOver && isBelowOverPlan(node)
  return stateOf({ ...node, around: { ...node.around, belowOver, isSilent: false } })
}

function isBelowOverPlan(node: SpanNode): boolean {
  for (const above of ancestors(node)) if (isOverPlan(above)) return true
  return false
}

const isOverPlan = (node: SpanNode): boolean => node.role === 'plan' && !node.span.pending && isOver(stateOf(node))
