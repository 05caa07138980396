import { TraceFlags, type Context } from '@opentelemetry/api'
import { countDrop } from '../drops.js'
import type { Unsent } from '../flush-on-exit.js'
import type { SpanExporterLike, SpanLike, SpanProcessorLike, StartedSpanLike } from '../sdk-types.js'
import { SUCCESS } from './export-queue.js'

/**
 * Counts the spans that enter a batch span processor and those that leave it for the exporter, and reports the spans
 * that the processor drops silently because its queue is full.
 */
export class QueueWatch implements Unsent {
  readonly #maxQueueSize: number
  #queued = 0
  #exporting = 0
  #delivered = 0

  constructor(maxQueueSize: number) {
    this.#maxQueueSize = maxQueueSize
  }

  /** The number of spans that wait for export. */
  get queued(): number {
    return this.#queued
  }

  /** The number of spans that wait for export or for the exporter's result. */
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
