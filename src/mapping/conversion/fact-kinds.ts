import { ATTR, decodeFields, EVENTS, planFields, toolFields } from '../../semconv/index.js'
import { findingOf } from '../faults/index.js'
import { latestSteps, reviewsOf } from '../plan/index.js'
import { errorsOf, type SpanNode } from '../tree/index.js'
import { callTokensOf, totalTokensOf } from '../usage/index.js'

const { title, topic, request, summary, result } = planFields
const TEXTS = { title, topic, request, summary, result }

const textsOf = ({ role, span }: SpanNode) => (role === 'plan' ? decodeFields(TEXTS, span.attributes) : {})

const isRole =
  (role: SpanNode['role']) =>
  (node: SpanNode): number =>
    Number(node.role === role)

const given = (text: string | undefined): number => Number(text !== undefined && text !== '')

/**
 * The kinds of facts that a record may hold, with the number of facts of the kind that a span contains. A conversion
 * reports for each kind how many facts its target does not hold, and docs/dialects.md lists the kinds that each dialect
 * holds.
 */
export const FACT_KINDS = {
  titles: (node) => given(textsOf(node).title ?? textsOf(node).topic),
  requests: (node) => given(textsOf(node).request),
  answers: (node) => given(textsOf(node).summary ?? textsOf(node).result),
  steps: (node) => (node.role === 'plan' ? latestSteps(node).length : 0),
  'plan versions': isRole('planning'),
  reviews: (node) => (node.role === 'plan' ? reviewsOf(node.span).length : 0),
  // A message with the request or the summary of its plan is counted there.
  messages: ({ span }) => span.events.filter(isMessage).length,
  waits: isRole('wait'),
  agents: isRole('agent'),
  cycles: isRole('think_act'),
  'model calls': isRole('llm'),
  tokens: (node) => (node.role === 'llm' ? (totalTokensOf(callTokensOf(node)) ?? 0) : 0),
  'tool calls': isRole('tool'),
  'tool results': ({ role, span }) => (role === 'tool' ? given(decodeFields(RESULT, span.attributes).result) : 0),
  'risk assessments': (node) => Number(node.role === 'guardrail' && findingOf(node) !== undefined),
  errors: (node) => errorsOf(node).length,
  'sub-plans': (node) => Number(node.role === 'plan' && node.parent !== undefined),
} as const satisfies Readonly<Record<string, (node: SpanNode) => number>>

const isMessage = ({ name, attributes }: SpanNode['span']['events'][number]): boolean =>
  name === EVENTS.message && attributes[ATTR.messageContentIn] === undefined

const RESULT = { result: toolFields.result }

export type FactKind = keyof typeof FACT_KINDS

const COUNTS = Object.entries(FACT_KINDS) as [FactKind, (node: SpanNode) => number][]

/** Counts the facts of each kind in some spans. */
export function countFacts(nodes: Iterable<SpanNode>): ReadonlyMap<FactKind, number> {
  const counts = new Map<FactKind, number>(COUNTS.map(([kind]) => [kind, 0]))
  for (const node of nodes) {
    for (const [kind, count] of COUNTS) counts.set(kind, (counts.get(kind) ?? 0) + count(node))
  }
  return counts
}
