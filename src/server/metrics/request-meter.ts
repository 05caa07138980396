import { PlanspanError } from '../../error.js'
import type { RefusedFor } from '../../otlp/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'

export type Protocol = 'http' | 'grpc'

/** Counts the requests of senders and their responses. */
export class RequestMeter {
  #received = 0
  /** The reason: a check's finding, `clickhouse` for ClickHouse's own checks, or the error code of the response. */
  readonly #refused = new Map<string, number>()
  readonly #answers = new Map<Protocol, Map<number, number>>([
    ['http', new Map()],
    ['grpc', new Map()],
  ])

  get receivedSpans(): number {
    return this.#received
  }

  get refusedSpans(): ReadonlyMap<string, number> {
    return this.#refused
  }

  /** By protocol and its status code. */
  get answers(): ReadonlyMap<Protocol, ReadonlyMap<number, number>> {
    return this.#answers
  }

  answer(protocol: Protocol, status: number): void {
    const answers = this.#answers.get(protocol)
    answers?.set(status, (answers.get(status) ?? 0) + 1)
  }

  /** Counts spans that a check rejects. */
  refuseSpans(refusedFor: ReadonlyMap<RefusedFor, number>): void {
    for (const [why, spans] of refusedFor) {
      this.#received += spans
      this.#refuse(why, spans)
    }
  }

  /** Returns a writer that counts its requests with spans. */
  counted<Writer extends Pick<SpanWriter, 'write' | 'check'>>(writer: Writer): Pick<SpanWriter, 'write' | 'check'> {
    return {
      check: writer.check,
      write: async (request, ...more) => {
        if (request.signal === 'logs') return writer.write(request, ...more)
        this.#received += request.spans
        try {
          const result = await writer.write(request, ...more)
          this.#refuse('clickhouse', result.rejectedSpans)
          return result
        } catch (error) {
          this.#refuse(error instanceof PlanspanError ? error.code : 'internal_error', request.spans)
          throw error
        }
      },
    }
  }

  #refuse(why: string, spans: number): void {
    if (spans > 0) this.#refused.set(why, (this.#refused.get(why) ?? 0) + spans)
  }
}
