import { appendTo } from '../../../base/append.js'
import { above, type AdoptNode, byStart, walk } from '../adopt-node.js'
import { type Answers, answersIn } from './answers.js'
import type { CallsOf } from '../calls/asked-calls.js'
import { CONVERSATION } from '../values/fact-places.js'
import { agentNameOf, factOfNode } from '../values/node-facts.js'
import type { PlacedWait } from './place-waits.js'

/** An end at which the plan of one trace may be joined with that of another one. */
export interface PlanEnd {
  readonly traceId: string
  /** Whether the trace asks, or answers. */
  readonly side: 'asks' | 'answers'
  /** What both sides must share: the service, the conversation or the agent, and the id of the call or question. */
  readonly key: string
  /** Whether the key names a conversation. */
  readonly isConversation: boolean
  /** When it was asked, or when the trace with the answer began, Unix nanoseconds. */
  readonly time: bigint
}

function byTrace(nodes: readonly AdoptNode[]): ReadonlyMap<string, readonly AdoptNode[]> {
  const traces = new Map<string, AdoptNode[]>()
  for (const node of nodes) appendTo(traces, node.span.traceId, node)
  return traces
}

/** Stands for the id where a framework resumes a conversation, not a question. */
const CONVERSATION_ITSELF = ''

/** Reads what each trace continues with. Traces with planspan's own spans continue by planspan's own means. */
export function answersOfTraces(nodes: readonly AdoptNode[], callsOf: CallsOf): ReadonlyMap<string, Answers> {
  if (nodes.some(({ own }) => own !== undefined)) return new Map()
  return new Map([...byTrace(nodes)].map(([traceId, spans]) => [traceId, answersIn(spans, callsOf)]))
}

/**
 * Returns a function that returns the ends of traces when their runs are joined: the questions that they do not answer
 * themselves, and the answers to unknown ones.
 */
export function planEnds(
  tops: readonly AdoptNode[],
  { waits, answersOf }: { readonly waits: readonly PlacedWait[]; readonly answersOf: ReadonlyMap<string, Answers> },
): () => PlanEnd[] {
  const isAnswering = [...answersOf.values()].some(({ results, resumed }) => results.size > 0 || resumed !== undefined)
  if (answersOf.size === 0 || (waits.length === 0 && !isAnswering)) return () => []
  const scopes = scopesOf(tops)
  const ends = new Map<string, PlanEnd>()
  const add = (traceId: string, side: PlanEnd['side'], time: bigint, ids: readonly string[]): void => {
    for (const id of ids) {
      const scope = scopes.get(traceId)
      if (!scope || (id === CONVERSATION_ITSELF && !scope.hasConversation)) continue
      const end = {
        traceId,
        side,
        time,
        key: JSON.stringify([...scope.shared, id]),
        isConversation: scope.hasConversation,
      }
      ends.set(`${side}\n${traceId}\n${end.key}`, end)
    }
  }
  return () => {
    for (const wait of waits.filter(isForOthers)) {
      const { id } = wait.asked
      add(wait.at.span.traceId, 'asks', wait.until, [CONVERSATION_ITSELF, ...(id === undefined ? [] : [id])])
    }
    for (const [traceId, { results, resumed }] of answersOf) {
      // Spans of a call may arrive before those of its request.
      const { begun = 0n, isWhole = false } = scopes.get(traceId) ?? {}
      if (!isWhole) continue
      add(traceId, 'answers', begun, [...results.keys(), ...(resumed === undefined ? [] : [CONVERSATION_ITSELF])])
    }
    return [...ends.values()]
  }
}

/** Whether a question is not answered in the trace that asks it. */
const isForOthers = ({ at, answeredBy }: PlacedWait): boolean => answeredBy?.span.traceId !== at.span.traceId

interface Scope {
  readonly hasConversation: boolean
  readonly shared: readonly string[]
  readonly begun: bigint
  /** Whether the root of the trace has arrived and all spans have ended. */
  readonly isWhole: boolean
}

/** The conversation of each trace, otherwise its first outermost agent. */
function scopesOf(tops: readonly AdoptNode[]): ReadonlyMap<string, Scope> {
  const nodes = tops.flatMap((top) => [...walk(top)]).sort(byStart)
  return new Map(
    [...byTrace(nodes)].map(([traceId, spans]) => {
      const conversation = spans
        .filter(({ kind }) => kind !== 'llm')
        .map((node) => factOfNode(node, CONVERSATION))
        .find((one) => one !== undefined)
      const agent = spans.find((node) => node.kind === 'agent' && above(node)?.kind !== 'tool')
      const begun = spans[0]?.span.startTimeUnixNano ?? 0n
      const service = spans[0]?.span.serviceName ?? ''
      const name = (agent && agentNameOf(agent)) ?? spans.find(({ rows }) => rows.length > 0)?.span.name ?? ''
      const hasConversation = conversation !== undefined
      const isWhole = !spans.some(({ pending }) => pending) && spans.filter(({ isOrphan }) => isOrphan).length < 2
      const shared = [service, String(hasConversation), conversation ?? name]
      return [traceId, { hasConversation, shared, begun, isWhole }]
    }),
  )
}
