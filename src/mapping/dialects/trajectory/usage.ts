import { draft, type SpanDraft } from '../../draft.js'
import type { JsonNode, JsonObject } from '../../json/node.js'
import type { Bounds } from './times.js'
import { presentObject, readPresent, writePresent, type Values } from './present.js'
import { usageShape } from './shapes.js'

/** Who but the agent itself calls models, by the key of a step that holds their usage. */
export const USAGE_SOURCES = {
  world_model_token_usage: 'world_model',
  harmonyguard_token_usage: 'harmonyguard',
  reactive_token_usage: 'reactive',
} as const

export type UsageKey = keyof typeof USAGE_SOURCES

/** Those that write the sum of a step's calls; the others write the last one's usage. */
const AGGREGATED: ReadonlySet<string> = new Set(['harmonyguard', 'reactive'])

/** The values that a token usage gives a chat span. */
export function readUsage(usage: JsonNode | undefined): Values {
  const { totalTokens, ...values } = readPresent(usage, usageShape)
  return { ...values, ...(totalTokens === undefined || totalTokens === sumOf(values) ? {} : { totalTokens }) }
}

/** The token usage that a chat span tells. */
export function writeUsage(values: Values): JsonObject | undefined {
  return presentObject(writePresent({ ...values, totalTokens: values['totalTokens'] ?? sumOf(values) }, usageShape))
}

/** A model call that a guardrail made. */
export function sourcedChat(usage: JsonNode | undefined, source: string): SpanDraft | undefined {
  const values = readUsage(usage)
  if (Object.keys(values).length === 0) return undefined
  return chatDraft(
    { ...values, usageSource: source, usageAggregated: AGGREGATED.has(source) || undefined },
    { start: undefined, end: undefined },
  )
}

export const chatDraft = (values: Values, bounds: Bounds): SpanDraft => {
  const { responseModel } = values
  const subject = typeof responseModel === 'string' ? responseModel : undefined
  return draft('llm', values, { subject, every: {}, ...bounds, children: [] })
}

function sumOf({ inputTokens, outputTokens }: Values): number | undefined {
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined
  const sum = inputTokens + outputTokens
  return Number.isSafeInteger(sum) ? sum : undefined
}
