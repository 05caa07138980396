import { USAGE_NAMES_OF, type UsageValue } from '../../../semconv/index.js'
import type { Place } from './fact-place.js'

/** The beginnings of the attributes that contain a call's usage, and of those that contain the usage of a response. */
const PREFIXES = ['gen_ai.usage.', 'llm.token_count.', 'ai.usage.', 'llm.usage.', 'usage.', 'gen_ai.response.usage.']

/** Names of attributes after a prefix, beside the names that a provider's JSON has. */
const SPELLINGS: { readonly [Value in UsageValue]?: readonly string[] } = {
  input: ['prompt'],
  output: ['completion'],
  cacheRead: [
    'cache_read.input_tokens',
    'cached_tokens',
    'cached_input_tokens',
    'cache_input_tokens',
    'input_tokens.cached',
    'input_tokens_cached',
    'prompt_details.cache_read',
    'prompt_details.cache_input',
    'details.cache_read_tokens',
    'details.cache_read_input_tokens',
    'details.cached_tokens',
  ],
  cacheWrite: [
    'cache_write.input_tokens',
    'cache_creation.input_tokens',
    'cache_creation_tokens',
    'prompt_details.cache_write',
    'details.cache_write_tokens',
    'details.cache_creation_input_tokens',
  ],
  reasoning: [
    'reasoning.output_tokens',
    'reasoning_tokens',
    'output_tokens.reasoning',
    'completion_details.reasoning',
    'details.reasoning_tokens',
    'experimental.reasoning_tokens',
  ],
}

/** The values of a provider's usage that an attribute has for each value. An attribute's input includes the cache. */
const JSON_NAMES: { readonly [Value in UsageValue]?: readonly UsageValue[] } = {
  input: ['inputBesideCache', 'input'],
  output: ['output'],
  total: ['total'],
  cacheRead: ['cacheRead', 'cacheReadBeside'],
  cacheWrite: ['cacheWrite', 'cacheWriteBeside'],
  reasoning: ['reasoning'],
}

/** Names without a prefix: Claude Code's, which report what Anthropic reports. */
const BARE: { readonly [Value in UsageValue]?: readonly string[] } = {
  inputBesideCache: ['input_tokens'],
  output: ['output_tokens'],
  cacheReadBeside: ['cache_read_tokens', 'cache_read_input_tokens'],
  cacheWriteBeside: ['cache_creation_tokens', 'cache_creation_input_tokens'],
}

/** The attributes of each value of a usage. The first that is present counts. */
export const TOKENS: { readonly [Value in UsageValue]?: readonly string[] } = Object.fromEntries(
  Object.keys(USAGE_NAMES_OF).flatMap((name) => {
    const value = name as UsageValue
    const inJson = (JSON_NAMES[value] ?? []).flatMap((each) => USAGE_NAMES_OF[each])
    const names = [...(SPELLINGS[value] ?? []), ...inJson]
    const keys = [...PREFIXES.flatMap((prefix) => names.map((each) => `${prefix}${each}`)), ...(BARE[value] ?? [])]
    return keys.length === 0 ? [] : [[value, keys] as const]
  }),
)

/** Names of attributes with a call's usage as JSON, under the names of its provider. */
export const USAGE_JSON = /(?:^|\.)usage(?:_details)?$/

/** Attributes whose JSON is an answer with its usage. */
export const ANSWER_JSON: readonly string[] = [
  'output.value',
  'gcp.vertex.agent.llm_response',
  'haystack.agent.step.llm.output',
  'haystack.component.output',
  'gen_ai.completion',
  'traceloop.entity.output',
  'genkit:output',
]

/** The cost of a call that its sender computed, US dollars. */
export const COST: readonly Place[] = [
  'gen_ai.usage.cost',
  { key: 'gen_ai.usage.cost.amount', beside: 'gen_ai.usage.cost.currency', is: 'USD' },
  'gen_ai.usage.total_cost',
  'gen_ai.usage.cost_usd',
  'gen_ai.cost.total_cost',
  'operation.cost',
  'llm.cost.total',
  { in: 'langfuse.observation.cost_details', path: ['total'] },
  { in: 'usage', path: ['cost'] },
  { in: 'output.value', path: ['usage', 'cost'] },
]
