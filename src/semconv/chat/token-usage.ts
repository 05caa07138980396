import { type Data, isData } from './plain-data.js'

/** The tokens of one model call as they were told: input with cached tokens, output with reasoning. */
export interface ToldUsage {
  readonly inputTokens: unknown
  readonly outputTokens: unknown
  readonly cacheReadTokens: unknown
  readonly cacheWriteTokens: unknown
  readonly reasoningTokens: unknown
}

/** Names of each value: planspan's, then those of OpenAI, Anthropic, Gemini, the AI SDK, Bedrock and LangChain. */
const NAMES = {
  input: ['input', 'prompt_tokens', 'promptTokenCount', 'promptTokens'],
  /** Anthropic and Bedrock leave out what a cache read and wrote, which they tell beside it. */
  inputBesideCache: ['inputTokens', 'input_tokens'],
  output: ['output', 'outputTokens', 'completion_tokens', 'output_tokens', 'candidatesTokenCount', 'completionTokens'],
  cacheRead: [
    'cacheRead',
    'cacheReadTokens',
    'cachedInputTokens',
    'cachedContentTokenCount',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'inputTokenDetails.cacheReadTokens',
    'input_token_details.cache_read',
  ],
  cacheWrite: [
    'cacheWrite',
    'cacheWriteTokens',
    'prompt_tokens_details.cache_write_tokens',
    'input_tokens_details.cache_write_tokens',
    'inputTokenDetails.cacheWriteTokens',
    'input_token_details.cache_creation',
  ],
  reasoning: [
    'reasoning',
    'reasoningTokens',
    'thoughtsTokenCount',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'outputTokenDetails.reasoningTokens',
    'output_token_details.reasoning',
  ],
  cacheReadBeside: ['cache_read_input_tokens', 'cacheReadInputTokens'],
  cacheWriteBeside: ['cache_creation_input_tokens', 'cacheCreationInputTokens', 'cacheWriteInputTokens'],
  /** Gemini counts these beside the input and the output. */
  inputBeside: ['toolUsePromptTokenCount'],
  outputBeside: ['thoughtsTokenCount'],
} as const satisfies Record<string, readonly string[]>

/** The same as paths of keys, for whoever reads JSON elsewhere. */
export const USAGE_PATHS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries(NAMES).map(([value, names]) => [value, names.map((name) => name.split('.'))]),
)

/** The first names of the places where a usage tells anything. */
export const USAGE_NAMES: ReadonlySet<string> = new Set([...USAGE_PATHS.values()].flat().flatMap(([head = '']) => head))

/** Reads the usage of a model call, under planspan's names or a provider's. Never throws. */
export function usageOf(usage: unknown): ToldUsage {
  const told = (value: keyof typeof NAMES): unknown => firstOf(usage, USAGE_PATHS.get(value) ?? [])
  const cacheReadBeside = told('cacheReadBeside')
  const cacheWriteBeside = told('cacheWriteBeside')
  const input = told('input')
  return {
    inputTokens:
      input === undefined
        ? sum(told('inputBesideCache'), told('inputBeside'), cacheReadBeside, cacheWriteBeside)
        : sum(input, told('inputBeside')),
    outputTokens: sum(told('output'), told('outputBeside')),
    cacheReadTokens: told('cacheRead') ?? cacheReadBeside,
    cacheWriteTokens: told('cacheWrite') ?? cacheWriteBeside,
    reasoningTokens: told('reasoning'),
  }
}

/** The first value that is there. */
function firstOf(usage: unknown, paths: readonly (readonly string[])[]): unknown {
  for (const path of paths) {
    const value = path.reduce<unknown>((above, key) => (isData(above) ? memberOf(above, key) : undefined), usage)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function memberOf(data: Data, key: string): unknown {
  try {
    return data[key]
  } catch {
    return undefined
  }
}

/** A count with those that are told beside it; as it is where it is none. */
function sum(tokens: unknown, ...beside: readonly unknown[]): unknown {
  const counts = beside.filter((count) => Number.isSafeInteger(count)) as number[]
  return counts.length === 0 || !(tokens === undefined || Number.isSafeInteger(tokens))
    ? tokens
    : counts.reduce((total, count) => total + count, (tokens as number | undefined) ?? 0)
}
