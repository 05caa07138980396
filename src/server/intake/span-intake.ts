import { hash } from 'node:crypto'
import process from 'node:process'

import { MAX_DAYS, type Encoding, type PartialSuccess, type MalformedRequest } from '../../otlp/index.js'
import { READABLE_TIMES, type SpanTimes } from '../../semconv/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'
import { BodyReader } from '../http/index.js'
import { RequestMeter } from '../metrics/index.js'
import { receiveInTurn, requestWorkers, type WorkerPool } from '../rebuild/index.js'

/** The OTLP signals that planspan does not store. */
export const UNTAKEN_SIGNALS = ['logs', 'metrics'] as const
type UntakenSignal = (typeof UNTAKEN_SIGNALS)[number]

/** Rejects signals other than traces, with one process warning per signal. */
export class UntakenSignals {
  readonly #warned = new Set<UntakenSignal>()

  /** Returns the message of the response, with advice. */
  refuse(signal: UntakenSignal): string {
    const name = signal.toUpperCase()
    const message =
      `planspan stores traces, no ${signal}: this request is dropped. Where it comes from, set ` +
      `OTEL_${name}_EXPORTER=none, or OTEL_EXPORTER_OTLP_${name}_ENDPOINT to a receiver of ${signal}.`
    if (!this.#warned.has(signal)) {
      this.#warned.add(signal)
      process.emitWarning(`${message} Further ones are dropped without a word here.`, 'PlanspanWarning')
    }
    return message
  }
}

/** The options of receiving spans over any protocol. */
export interface SpanIntake {
  readonly writer: Pick<SpanWriter, 'write' | 'check'>
  /** Reads bodies. @default the default limits */
  readonly bodies?: BodyReader
  /** Spans that start before this time (Unix nanoseconds) are rejected, because the store would drop them silently. */
  readonly refuseBefore?: () => bigint | undefined
  /** Whether secrets are masked before anything is stored. @default false */
  readonly redact?: boolean
  /** Workers that check large requests. @default separate workers */
  readonly checkers?: WorkerPool
  /** The times at which spans may start; others are refused. @default those up to 2106 */
  readonly spanTimes?: () => SpanTimes
  /** @default one of its own */
  readonly untaken?: UntakenSignals
  /** Receives request metrics. @default a no-op meter */
  readonly meter?: RequestMeter
}

export type WholeIntake = SpanIntake & Required<Pick<SpanIntake, 'bodies' | 'checkers' | 'untaken' | 'meter'>>

/** An intake with all defaults resolved. */
export const wholeIntake = (intake: SpanIntake): WholeIntake => ({
  bodies: new BodyReader(),
  checkers: requestWorkers(),
  untaken: new UntakenSignals(),
  meter: new RequestMeter(),
  ...intake,
})

/** The outcome of an intake: stored, possibly with rejected spans, or malformed. */
type TakenRequest = { readonly ok: true; readonly partial: PartialSuccess | undefined } | MalformedRequest

/** The sender of a request. */
interface Sender {
  /** The peer of its connection, as `address:port`. */
  readonly peer: string | undefined
  /** Aborted when the sender no longer waits for a response. */
  readonly gone?: AbortSignal
}

/** Stores an uncompressed trace request. Throws the writer's errors, after which the sender can retry. */
export async function takeRequest(
  { writer, checkers, refuseBefore, spanTimes, redact, meter }: WholeIntake,
  encoding: Encoding,
  body: Uint8Array,
  { peer, gone }: Sender,
): Promise<TakenRequest> {
  const options = { refuseBefore: refuseBefore?.(), times: spanTimes?.() ?? READABLE_TIMES, maxDays: MAX_DAYS, redact }
  const received = await receiveInTurn(checkers, { encoding, body, options })
  if (!received.ok) return received
  const { request } = received
  meter.refuseSpans(request.refusedFor)
  const marks = peer === undefined ? [] : senderMarks(peer, request.resource)
  const rejected = await writer.write(request, marks, gone)
  return { ok: true, partial: joined(request.refused, rejected) }
}

function joined(refused: PartialSuccess | undefined, rejected: PartialSuccess): PartialSuccess | undefined {
  if (rejected.rejectedSpans === 0) return refused
  if (!refused) return rejected
  return {
    rejectedSpans: refused.rejectedSpans + rejected.rejectedSpans,
    errorMessage: `${refused.errorMessage} ${rejected.errorMessage}`,
  }
}

/**
 * Returns the marks of a request's sender: its connection, and its address with the resource of its spans. A client
 * may use several connections, and several senders may share one. `peer` is `address:port` of the connection.
 */
export function senderMarks(peer: string, resource: Uint8Array | undefined): string[] {
  const address = peer.slice(0, peer.lastIndexOf(':'))
  return [peer, `${address} ${hash('sha1', resource ?? '', 'base64')}`]
}
