import type { SpanHandle } from './span-handle.js'

/** The tokens of one model call, whole numbers. */
export interface Usage {
  /** Input tokens, including cached ones. */
  input?: number | undefined
  /** Output tokens, including reasoning. */
  output?: number | undefined
  /** Input tokens read from a cache. */
  cacheRead?: number | undefined
  /** Input tokens written to a cache. */
  cacheWrite?: number | undefined
  /** Output tokens spent on reasoning. */
  reasoning?: number | undefined
}

/** The tokens of one model call under a provider's names: OpenAI, Anthropic, Gemini, the AI SDK, Bedrock. */
export interface ProviderUsage {
  prompt_tokens?: number | null | undefined
  completion_tokens?: number | null | undefined
  input_tokens?: number | null | undefined
  output_tokens?: number | null | undefined
  promptTokenCount?: number | null | undefined
  candidatesTokenCount?: number | null | undefined
  inputTokens?: number | null | undefined
  outputTokens?: number | null | undefined
}

/** The values of a model call, known before or after it. */
export interface ModelValues {
  /** The requested model. */
  model?: string | undefined
  /** The provider of the model: `openai`, `anthropic`, … @default the provider that the response names, if any */
  provider?: string | undefined
  /** The model that answered. */
  responseModel?: string | undefined
  /** The provider's id of the response. */
  responseId?: string | undefined
  /** The reasons why the model stopped. */
  finishReasons?: readonly string[] | undefined
  /** The caller of the model, if it is not the agent, for example `world_model`. */
  usageSource?: string | undefined
  /** Input tokens, including cached ones. `usage()` accepts everything that the provider reports. */
  inputTokens?: number | undefined
  /** Output tokens, including reasoning. */
  outputTokens?: number | undefined
}

export interface ModelOptions extends ModelValues {
  /** The input of the model: text, or chat messages in the provider's format. */
  input?: unknown
  /** The system instructions outside the input's messages: text, or parts in the provider's format. */
  system?: unknown
  /** The tools that the model may call, a list of definitions in the provider's format. */
  tools?: unknown
}

/** One model call (`chat`), the only span that carries token usage. */
export interface ModelSpan extends SpanHandle {
  set(values: ModelValues): void
  /** Records the input of the model: text, or chat messages in the provider's format. */
  input(input: unknown): void
  /**
   * Records the model's answer: text, or the provider's message or whole response. The formats of OpenAI, Anthropic,
   * Gemini and the AI SDK become the parts of the GenAI conventions; any other value is recorded as JSON.
   */
  output(output: unknown): void
  /**
   * Records the tokens of this call, which also count towards the plan's tokens: under planspan's names, or the usage
   * object of the provider. A later call replaces the values of an earlier one.
   */
  usage(usage: Usage | ProviderUsage): void
}
