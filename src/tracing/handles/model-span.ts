import type { SpanHandle } from './span-handle.js'

/** Tokens of one model call, whole numbers. */
export interface Usage {
  /** Tokens read, cached ones included. */
  input?: number | undefined
  /** Tokens written, reasoning included. */
  output?: number | undefined
  /** Input tokens read from a cache. */
  cacheRead?: number | undefined
  /** Input tokens written to a cache. */
  cacheWrite?: number | undefined
  /** Output tokens spent on reasoning. */
  reasoning?: number | undefined
}

/** The values of a model call, known before or after it. */
export interface ModelValues {
  /** The model that was asked for. */
  model?: string | undefined
  /** Who serves the model: `openai`, `anthropic`, … */
  provider?: string | undefined
  /** The model that answered. */
  responseModel?: string | undefined
  /** The provider's id of the answer. */
  responseId?: string | undefined
  /** Why the model stopped. */
  finishReasons?: readonly string[] | undefined
  /** Whose call it was when not the agent's, for example `world_model`. */
  usageSource?: string | undefined
}

export interface ModelOptions extends ModelValues {
  /** The input of the model: text, or chat messages. */
  input?: unknown
}

/** One model call (`chat`), the only span that carries token usage. */
export interface ModelSpan extends SpanHandle {
  set(values: ModelValues): void
  /** Records the input of the model: text, or chat messages. */
  input(input: unknown): void
  /** Records the model's answer: text, or chat messages. */
  output(output: unknown): void
  /** The tokens of this call; a later report replaces an earlier one. Adds to the roll-up of the plan. */
  usage(usage: Usage): void
}
