import { type Data, isData } from './message-parts.js'

/** The reported tokens of one model call. Input includes cached tokens, output includes reasoning. */
export interface ReportedUsage {
  readonly inputTokens: unknown
  readonly outputTokens: unknown
  readonly cacheReadTokens: unknown
  readonly cacheWriteTokens: unknown
  readonly reasoningTokens: unknown
}

/** The names of each value: planspan's, then those of OpenAI, Anthropic, Gemini, the AI SDK, Bedrock and LangChain. */
const NAMES = {
  input: ['input', 'prompt_tokens', 'promptTokenCount', 'promptTokens'],
  /** Anthropic and Bedrock report cached tokens separately and do not include them in the input. */
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
  /** Gemini reports these separately from input and output. */
  inputBeside: ['toolUsePromptTokenCount'],
  outputBeside: ['thoughtsTokenCount'],
} as const satisfies Record<string, readonly string[]>

/** The names as paths of keys. */
export const USAGE_PATHS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries(NAMES).map(([value, names]) => [value, names.map((name) => name.split('.'))]),
)

/** The top-level names of all paths. */
export const USAGE_NAMES: ReadonlySet<string> = new Set([...USAGE_PATHS.values()].flat().flatMap(([head = '']) => head))

/** Reads the usage of a model call, under planspan's names or a provider's. Never throws. */
export function usageOf(usage: unknown): ReportedUsage {
  const valueOf = (value: keyof typeof NAMES): unknown => firstOf(usage, USAGE_PATHS.get(value) ?? [])
  const cacheReadBeside = valueOf('cacheReadBeside')
  const cacheWriteBeside = valueOf('cacheWriteBeside')
  const input = valueOf('input')
  return {
    inputTokens:
      input === undefined
        ? sum(valueOf('inputBesideCache'), valueOf('inputBeside'), cacheReadBeside, cacheWriteBeside)
        : sum(input, valueOf('inputBeside')),
    outputTokens: sum(valueOf('output'), valueOf('outputBeside')),
    cacheReadTokens: valueOf('cacheRead') ?? cacheReadBeside,
    cacheWriteTokens: valueOf('cacheWrite') ?? cacheWriteBeside,
    reasoningTokens: valueOf('reasoning'),
  }
}

/** Returns the first defined value. */
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

/** Adds the separately reported counts. Returns the value unchanged if it is not a count. */
function sum(tokens: unknown, ...beside: readonly unknown[]): unknown {
  const counts = beside.filter((count) => Number.isSafeInteger(count)) as number[]
  return counts.length === 0 || !(tokens === undefined || Number.isSafeInteger(tokens))
    ? tokens
    : counts.reduce((total, count) => total + count, (tokens as number | undefined) ?? 0)
}
