import { TraceFlags, type Context } from '@opentelemetry/api'
import { countDrop } from '../drops.js'
import type { SpanExporterLike, SpanLike, SpanProcessorLike, StartedSpanLike } from '../sdk-types.js'

/**
 * Watches the queue of a batch span processor, which drops what does not fit without a word: counts spans in at the
 * processor and out at its exporter, and says what is dropped.
 */
export class QueueWatch {
  readonly #maxQueueSize: number
  #queued = 0

  constructor(maxQueueSize: number) {
    this.#maxQueueSize = maxQueueSize
  }

  /** How many spans wait for their export. */
  get queued(): number {
    return this.#queued
  }

  /** The exporter to give to the batch processor. */
  exporter(exporter: SpanExporterLike): SpanExporterLike {
    return {
      export: (spans, resultCallback) => {
        this.#queued -= spans.length
        exporter.export(spans, resultCallback)
      },
      shutdown: () => exporter.shutdown(),
      forceFlush: async () => exporter.forceFlush?.(),
    }
  }

  /** The processor to give to the provider in the batch processor's place. */
  processor(processor: SpanProcessorLike): SpanProcessorLike {
    return {
      onStart: (span: StartedSpanLike, parentContext: Context) => processor.onStart(span, parentContext),
      onEnd: (span: SpanLike) => {
        this.#enqueue(span)
        processor.onEnd(span)
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    }
  }

  #enqueue(span: SpanLike): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return
    if (this.#queued < this.#maxQueueSize) this.#queued++
    else countDrop('queue', 'spans before their export')
  }
}
