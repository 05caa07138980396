import type { Span } from '../semconv/index.js'
import type { SendResult, SpanSender } from '../sender/index.js'

const BATCH_SPANS = 2000

/** Sends the spans of many records in batches, and adds up what the receiver answers. */
export class SpanBatch {
  readonly #sender: SpanSender
  #waiting: Span[] = []
  #accepted = 0
  #rejected = 0
  readonly #reasons = new Set<string>()

  constructor(sender: SpanSender) {
    this.#sender = sender
  }

  async add(spans: readonly Span[]): Promise<void> {
    for (const span of spans) this.#waiting.push(span)
    if (this.#waiting.length >= BATCH_SPANS) await this.#send()
  }

  /** Sends what waits; what the receiver made of all so far. */
  async finish(): Promise<SendResult> {
    await this.#send()
    return { accepted: this.#accepted, rejected: this.#rejected, reasons: [...this.#reasons] }
  }

  async #send(): Promise<void> {
    const spans = this.#waiting
    if (spans.length === 0) return
    this.#waiting = []
    const { accepted, rejected, reasons } = await this.#sender.send(spans)
    this.#accepted += accepted
    this.#rejected += rejected
    for (const reason of reasons) this.#reasons.add(reason)
  }
}
