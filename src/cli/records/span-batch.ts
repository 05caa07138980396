import type { Span } from '../../semconv/index.js'
import type { SendResult, SpanSender } from '../../sender/index.js'

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
