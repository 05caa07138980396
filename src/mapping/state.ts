import { ATTR, STATES, type State } from '../semconv/index.js'
import { nearest, type SpanNode } from './tree.js'

/** The systems' own words for where a plan, agent, step or tool stands. */
const WORDS = new Map<string, State>(
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
  word === undefined ? undefined : WORDS.get(word.toLowerCase())

const isState = (text: string | undefined): text is State => STATES.some((state) => state === text)

/** Where a span's plan, agent or cycle stands: what it says itself, else what its end and its children tell. */
export function stateOf(node: SpanNode): State {
  const told = node.span.attributes[ATTR.state]
  if (isState(told)) return told
  if (node.span.statusCode === 'ERROR') return 'failed'
  if (!node.span.pending) return 'completed'
  if (nearest(node, 'wait', ['agent', 'think_act', 'tool']).some(({ span }) => span.pending)) return 'waiting'
  return node.role === 'plan' && nearest(node, 'agent').length === 0 ? 'planning' : 'running'
}
