import { llmFields, UNKNOWN_PROVIDER } from '../semconv/index.js'
import type { ModelOptions, ModelSpan, ModelValues, ProviderUsage, Usage } from './handles/model-span.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { readInteger, readOption, readText } from './read-option.js'
import { readUsage } from './read-usage.js'
import { responseProvider } from './response-provider.js'

const FIELDS = liveFields(llmFields)

/** One model call (`chat`), the only span that carries token usage. */
export class LiveModel extends LiveSpan implements ModelSpan {
  #inputTokens = 0
  #outputTokens = 0
  #hasProvider: boolean

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
    this.#hasProvider = readText(options, 'provider') !== undefined
    this.#countTokens(options)
    const input = readOption(options, 'input')
    if (typeof input === 'string') this.write({ inputCharCount: input.length })
  }

  set(values: ModelValues): void {
    this.write(values)
    this.#hasProvider ||= readText(values, 'provider') !== undefined
    this.#countTokens(values)
  }

  input(input: unknown): void {
    this.write(typeof input === 'string' ? { input, inputCharCount: input.length } : { input })
  }

  output(output: unknown): void {
    const provider = this.#hasProvider ? undefined : responseProvider(output)
    this.#hasProvider ||= provider !== undefined
    this.write(typeof output === 'string' ? { output, outputCharCount: output.length } : { output, provider })
  }

  usage(usage: Usage | ProviderUsage): void {
    const { unknown, ...tokens } = readUsage(usage)
    this.write(tokens)
    this.#countTokens(tokens)
    if (!this.ended) this.omit(unknown)
  }

  protected override ending(): void {
    if (!this.#hasProvider) this.write({ provider: UNKNOWN_PROVIDER })
  }

  /** Adds this call's tokens to the plan's, replacing those that were reported before. */
  #countTokens(values: object | undefined): void {
    if (this.ended) return
    const tokens: { inputTokens?: unknown; outputTokens?: unknown } | undefined = values
    const input = readInteger(tokens, 'inputTokens')
    const output = readInteger(tokens, 'outputTokens')
    if (input === undefined && output === undefined) return
    const before = { input: this.#inputTokens, output: this.#outputTokens }
    this.#inputTokens = input ?? before.input
    this.#outputTokens = output ?? before.output
    this.run.addUsage(this.#inputTokens - before.input, this.#outputTokens - before.output)
  }
}
