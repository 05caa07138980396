import { llmFields } from '../semconv/index.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { readInteger, readOption, readText } from './read-option.js'

const FIELDS = liveFields(llmFields)

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

/** What is known of a model call, before or after it. */
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
  /** What the model is given: text, or chat messages. */
  input?: unknown
}

/** One model call (`chat`), the only span that carries token usage. */
export class ModelSpan extends LiveSpan {
  #inputTokens = 0
  #outputTokens = 0

  /** Made by `model` and `startModel` of the span above. */
  constructor(parent: LiveSpan, options?: ModelOptions) {
    super({
      role: 'llm',
      fields: FIELDS,
      parent,
      subject: readText(options, 'model'),
      subjectField: 'model',
      options,
    })
    const input = readOption(options, 'input')
    if (typeof input === 'string') this.write({ inputCharCount: input.length })
  }

  set(values: ModelValues): void {
    this.write(values)
  }

  /** What the model was given: text, or chat messages. */
  input(input: unknown): void {
    this.write(typeof input === 'string' ? { input, inputCharCount: input.length } : { input })
  }

  /** What the model answered: text, or chat messages. */
  output(output: unknown): void {
    this.write(typeof output === 'string' ? { output, outputCharCount: output.length } : { output })
  }

  /** The tokens of this call; a later report replaces an earlier one. Adds to the roll-up of the plan. */
  usage(usage: Usage): void {
    this.write({
      inputTokens: readOption(usage, 'input'),
      outputTokens: readOption(usage, 'output'),
      cacheReadTokens: readOption(usage, 'cacheRead'),
      cacheWriteTokens: readOption(usage, 'cacheWrite'),
      reasoningTokens: readOption(usage, 'reasoning'),
    })
    if (this.ended) return
    const input = readInteger(usage, 'input') ?? this.#inputTokens
    const output = readInteger(usage, 'output') ?? this.#outputTokens
    this.run.addUsage(input - this.#inputTokens, output - this.#outputTokens)
    this.#inputTokens = input
    this.#outputTokens = output
  }
}
