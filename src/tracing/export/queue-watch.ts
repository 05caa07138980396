import { TraceFlags, type Context } from '@opentelemetry/api'
import { countDrop } from '../drops.js'
import type { Unsent } from '../flush-on-exit.js'
import type { SpanExporterLike, SpanLike, SpanProcessorLike, StartedSpanLike } from '../sdk-types.js'
import { SUCCESS } from './export-queue.js'

/**
 * Watches the queue of a batch span processor, which silently drops spans that do not fit: counts spans in at the
 * processor and out at its exporter, and reports drops.
 */
export class QueueWatch implements Unsent {
  readonly #maxQueueSize: number
  #queued = 0
  #exporting = 0
  #delivered = 0

  constructor(maxQueueSize: number) {
    this.#maxQueueSize = maxQueueSize
  }

  /** The number of spans that wait for their export. */
  get queued(): number {
    return this.#queued
  }

  /** The number of spans that wait for their export, or for an answer to it. */
  get unsent(): number {
    return this.#queued + this.#exporting
  }

  /** The number of spans that have been delivered. */
  get delivered(): number {
    return this.#delivered
  }

  /** Wraps the exporter for the batch processor. */
  exporter(exporter: SpanExporterLike): SpanExporterLike {
    return {
      export: (spans, resultCallback) => {
        this.#queued -= spans.length
        this.#exporting += spans.length
        exporter.export(spans, (result) => {
          this.#exporting -= spans.length
          if (result.code === SUCCESS) this.#delivered += spans.length
          resultCallback(result)
        })
      },
      shutdown: () => exporter.shutdown(),
      forceFlush: async () => exporter.forceFlush?.(),
    }
  }

  /** Wraps the batch processor for the provider. */
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
