import type { Span } from '../../semconv/index.js'
import { createSpanSender, type SendResult, type SpanSender, type SpanSenderOptions } from '../../sender/index.js'
import type { Server } from '../server/resolve-server.js'

const BATCH_SPANS = 2000

/** Sends the spans of many records in batches, and adds up the receiver's responses. */
export class SpanBatch {
  readonly #sender: SpanSender
  #buffered: Span[] = []
  #accepted = 0
  #rejected = 0
  readonly #reasons = new Set<string>()

  constructor(sender: SpanSender) {
    this.#sender = sender
  }

  async add(spans: readonly Span[]): Promise<void> {
    for (const span of spans) this.#buffered.push(span)
    if (this.#buffered.length >= BATCH_SPANS) await this.#send()
  }

  /** Sends the rest. Resolves to the sum of all responses. */
  async finish(): Promise<SendResult> {
    await this.#send()
    return { accepted: this.#accepted, rejected: this.#rejected, reasons: [...this.#reasons] }
  }

  async #send(): Promise<void> {
    const spans = this.#buffered
    if (spans.length === 0) return
    this.#buffered = []
    const { accepted, rejected, reasons } = await this.#sender.send(spans)
    this.#accepted += accepted
    this.#rejected += rejected
    for (const reason of reasons) this.#reasons.add(reason)
  }
}

/** Creates a sender of spans to a server. */
export function senderTo(
  { endpoint, token, headers }: Server,
  options: Omit<SpanSenderOptions, 'url' | 'headers'> = {},
): SpanSender {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return createSpanSender({
    ...options,
    url: `${endpoint}/v1/traces`,
    headers: { ...Object.fromEntries(lowerCase), ...authorization },
  })
}
