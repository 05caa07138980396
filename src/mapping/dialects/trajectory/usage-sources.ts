import { draft, type Bounds, type SpanDraft } from '../span-draft.js'
import type { JsonNode } from '../../json/index.js'
import type { HomeValues } from '../../record-object/index.js'
import { OBJECTS } from './era.js'

/** The sources of model calls besides the agent itself, by the key of a step that has their usage. */
export const USAGE_SOURCES = {
  world_model_token_usage: 'world_model',
  harmonyguard_token_usage: 'policy_guardrail',
  reactive_token_usage: 'reactive_guardrail',
} as const

export type UsageKey = keyof typeof USAGE_SOURCES

export const USAGE_KEYS = Object.keys(USAGE_SOURCES) as readonly UsageKey[]

/** Whether a model call is one of the agent's own, not one of a safety system. */
export const isOwnCall = (usageSource: string | undefined): boolean =>
  !Object.values<string | undefined>(USAGE_SOURCES).includes(usageSource)

/** The sources that write the sum of a step's calls. The others write the usage of the last call. */
const AGGREGATED: ReadonlySet<string> = new Set(['policy_guardrail', 'reactive_guardrail'])

/** Creates a guardrail's model call. */
export function sourcedModelCall(usage: JsonNode | undefined, source: string): SpanDraft | undefined {
  const { llm: values } = OBJECTS.usage.read(usage)
  if (Object.keys(values).length === 0) return undefined
  return modelCallDraft({ ...values, usageSource: source, usageAggregated: AGGREGATED.has(source) || undefined })
}

export const modelCallDraft = (values: HomeValues<'llm'>, bounds: Bounds = {}): SpanDraft =>
  draft('llm', values, { subject: values.responseModel, every: {}, ...bounds, children: [] })
