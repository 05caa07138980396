import { llmFields } from '../semconv/index.js'
import type { ModelOptions, ModelSpan, ModelValues, ProviderUsage, Usage } from './handles/model-span.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { readInteger, readOption, readText } from './read-option.js'
import { readUsage } from './read-usage.js'

const FIELDS = liveFields(llmFields)

/** One model call (`chat`), the only span that carries token usage. */
export class LiveModel extends LiveSpan implements ModelSpan {
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

  input(input: unknown): void {
    this.write(typeof input === 'string' ? { input, inputCharCount: input.length } : { input })
  }

  output(output: unknown): void {
    this.write(typeof output === 'string' ? { output, outputCharCount: output.length } : { output })
  }

  usage(usage: Usage | ProviderUsage): void {
    const { unknown, ...tokens } = readUsage(usage)
    this.write(tokens)
    if (this.ended) return
    this.omit(unknown)
    const input = readInteger(tokens, 'inputTokens') ?? this.#inputTokens
    const output = readInteger(tokens, 'outputTokens') ?? this.#outputTokens
    this.run.addUsage(input - this.#inputTokens, output - this.#outputTokens)
    this.#inputTokens = input
    this.#outputTokens = output
  }
}
