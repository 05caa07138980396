import { ATTR, isOver, STATES, type State } from '../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { nearest, type SpanNode } from './tree.js'

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

/** The state that a span itself tells; one that has not ended is not over. */
export function toldState({ attributes, pending }: FoldedSpan): State | undefined {
  const told = attributes[ATTR.state]
  return isState(told) && !(pending && isOver(told)) ? told : undefined
}

/** Whether an answer was still awaited when the wait was last heard of. */
export const isOpenWait = ({ pending, attributes }: FoldedSpan): boolean =>
  pending || attributes[ATTR.state] === 'waiting'

/** The state of a span's plan, agent or cycle: its own, else the one that its end and its children tell. */
export function stateOf(node: SpanNode): State {
  const { span, halted, role } = node
  const told = toldState(span)
  if (!span.pending) {
    if (told === undefined) return span.statusCode === 'ERROR' ? 'failed' : 'completed'
    return isOver(told) ? told : (halted ?? told)
  }
  if (halted !== undefined) return halted
  if (told !== undefined) return told
  if (role === 'plan') return nearest(node, 'agent', ['planning']).length === 0 ? 'planning' : 'running'
  return role === 'wait' || nearest(node, 'wait', ['think_act', 'tool', 'plan', 'agent']).some(isWaiting)
    ? 'waiting'
    : 'running'
}

/** Whether a wait's answer is still awaited. */
export const isAwaited = (wait: SpanNode): boolean =>
  stateOf(wait) === 'waiting' || (!wait.halted && wait.span.attributes[ATTR.waitWaiting] === 'true')

/** Whether what a span stands for has no end yet: it was not over when it was last heard of. */
export const isUnended = (node: SpanNode): boolean => node.span.pending || !isOver(stateOf(node))

const isWaiting = ({ span, halted }: SpanNode): boolean => isOpenWait(span) && halted !== 'interrupted'
