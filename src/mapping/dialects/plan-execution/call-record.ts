import { ATTR, decodeFields, llmFields } from '../../../semconv/index.js'
import type { JsonValue } from '../../json/index.js'
import { isoOf } from '../../record-object/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'
import { conventionAttributes } from './convention-attributes.js'
import { evaluationsOf } from './evaluations.js'
import { ownSpans } from './part-spans.js'

const TEXTS = ['model', 'provider', 'responseModel', 'usageSource'] as const
const NUMBERS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'costUsd',
] as const

type CallField = (typeof TEXTS | typeof NUMBERS)[number]

const FIELDS = Object.fromEntries([...TEXTS, ...NUMBERS].map((name) => [name, llmFields[name]])) as Pick<
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

function callObject(call: SpanNode, node: SpanNode): JsonValue {
  const { span, parent } = call
  const values = decodeFields(FIELDS, span.attributes)
  const source = parent?.role === 'guardrail' && parent !== node ? WORLD_MODEL : undefined
  return {
    ...values,
    usageSource: values.usageSource ?? source,
    ...(span.attributes[ATTR.timeSynthetic] === 'true'
      ? {}
      : { startTime: isoOf(span.startTimeUnixNano), endTime: isoOf(span.endTimeUnixNano) }),
    evaluations: evaluationsOf(call),
    attributes: conventionAttributes(call),
  }
}
