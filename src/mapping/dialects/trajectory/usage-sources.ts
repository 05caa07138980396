import { draft, type Bounds, type SpanDraft } from '../span-draft.js'
import type { JsonNode } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import { OBJECTS } from './era.js'

/** Who but the agent itself calls models, by the key of a step that holds their usage. */
export const USAGE_SOURCES = {
  world_model_token_usage: 'world_model',
  harmonyguard_token_usage: 'harmonyguard',
  reactive_token_usage: 'reactive',
} as const

export type UsageKey = keyof typeof USAGE_SOURCES

export const USAGE_KEYS = Object.keys(USAGE_SOURCES) as readonly UsageKey[]

/** Those that write the sum of a step's calls; the others write the last one's usage. */
const AGGREGATED: ReadonlySet<string> = new Set(['harmonyguard', 'reactive'])

/** A model call that a guardrail made. */
export function sourcedModelCall(usage: JsonNode | undefined, source: string): SpanDraft | undefined {
  const { llm: values } = OBJECTS.usage.read(usage)
  if (Object.keys(values).length === 0) return undefined
  return modelCallDraft({ ...values, usageSource: source, usageAggregated: AGGREGATED.has(source) || undefined })
}

export const modelCallDraft = (values: HomeValues<'llm'>, bounds: Bounds = {}): SpanDraft =>
  draft('llm', values, { subject: values.responseModel, every: {}, ...bounds, children: [] })
