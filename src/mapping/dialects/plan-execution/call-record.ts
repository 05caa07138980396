import { ATTR, decodeFields, llmFields } from '../../../semconv/index.js'
import { draft, type SpanDraft } from '../span-draft.js'
import { type JsonValue, itemsOf, member, stringOf, type JsonNode } from '../../json/index.js'
import { type HomeValues, isoOf, unixNanoOf } from '../../record-object/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'
import { ownSpans } from './part-spans.js'

const TEXTS = ['model', 'provider', 'responseModel', 'usageSource'] as const
const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const

type CallField = (typeof TEXTS | typeof COUNTS)[number]

const FIELDS = Object.fromEntries([...TEXTS, ...COUNTS].map((name) => [name, llmFields[name]])) as Pick<
  typeof llmFields,
  CallField
>

/** The default source of calls below a guardrail. */
const WORLD_MODEL = 'world_model'

/**
 * Returns the ended model calls of a node itself, as in the key `planspan`. The last one is the call whose texts a
 * cycle shows.
 */
export function modelCallsOf(node: SpanNode, parts: ReadonlySet<SpanNode>): JsonValue[] {
  const shown = nearest(node, 'llm')
  const others = ownSpans(node, 'llm', parts).filter((call) => !shown.includes(call))
  return [...others, ...shown].filter(({ span }) => !span.pending).map((call) => callObject(call, node))
}

function callObject({ span, parent }: SpanNode, node: SpanNode): JsonValue {
  const values = decodeFields(FIELDS, span.attributes)
  const source = parent?.role === 'guardrail' && parent !== node ? WORLD_MODEL : undefined
  return {
    ...values,
    usageSource: values.usageSource ?? source,
    ...(span.attributes[ATTR.timeSynthetic] === 'true'
      ? {}
      : { startTime: isoOf(span.startTimeUnixNano), endTime: isoOf(span.endTimeUnixNano) }),
  }
}

/** Reads the model calls in the key `planspan`. The last one also has the texts of a cycle. */
export function modelCallDrafts(extra: JsonNode | undefined, texts: HomeValues<'llm'> = {}): SpanDraft[] {
  const calls = itemsOf(member(extra, 'modelCalls')).filter(({ kind }) => kind === 'object')
  return calls.map((call, seq) => {
    const [start, end] = ['startTime', 'endTime'].map((name) => unixNanoOf(stringOf(member(call, name)) ?? '', 'UTC'))
    const values: HomeValues<'llm'> = { ...(seq === calls.length - 1 ? texts : {}), ...callValues(call) }
    return draft('llm', values, { subject: values.model, every: {}, start, end, seq, children: [] })
  })
}

function callValues(call: JsonNode): HomeValues<'llm'> {
  const texts = TEXTS.map((name) => [name, stringOf(member(call, name))])
  const counts = COUNTS.map((name) => [name, countOf(member(call, name))])
  return Object.fromEntries([...texts, ...counts].filter(([, value]) => value !== undefined)) as HomeValues<'llm'>
}

function countOf(node: JsonNode | undefined): number | undefined {
  const count = node?.kind === 'number' ? Number(node.text) : undefined
  return Number.isSafeInteger(count) ? count : undefined
}
