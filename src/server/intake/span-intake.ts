import { hash } from 'node:crypto'

import { MAX_DAYS, type Encoding, type PartialSuccess, type MalformedRequest, type Signal } from '../../otlp/index.js'
import { READABLE_TIMES, type SpanTimes } from '../../semconv/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'
import { BodyReader } from '../http/index.js'
import { RequestMeter } from '../metrics/index.js'
import { receiveInTurn, requestWorkers, type WorkerPool } from '../rebuild/index.js'

/** The options of receiving spans and logs over any protocol. */
export interface SpanIntake {
  readonly writer: Pick<SpanWriter, 'write' | 'check'>
  /** Reads bodies. @default the default limits */
  readonly bodies?: BodyReader
  /** Spans and logs before this time (Unix nanoseconds) are rejected, because the store would drop them silently. */
  readonly refuseBefore?: () => bigint | undefined
  /** Whether secrets are masked before anything is stored. @default false */
  readonly redact?: boolean
  /** Workers that check large requests. @default separate workers */
  readonly checkers?: WorkerPool
  /** The times at which spans may start and logs may be; others are refused. @default those up to 2106 */
  readonly spanTimes?: () => SpanTimes
  /** Receives request metrics. @default a no-op meter */
  readonly meter?: RequestMeter
}

export type WholeIntake = SpanIntake & Required<Pick<SpanIntake, 'bodies' | 'checkers' | 'meter'>>

/** An intake with all defaults resolved. */
export const wholeIntake = (intake: SpanIntake): WholeIntake => ({
  bodies: new BodyReader(),
  checkers: requestWorkers(),
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

/** An uncompressed request. */
interface SentRequest {
  readonly signal: Signal
  readonly encoding: Encoding
  readonly body: Uint8Array
}

/**
 * Stores a request of spans or logs; data points of metrics are all rejected. Throws the writer's errors, after which
 * the sender can retry.
 */
export async function takeRequest(
  { writer, checkers, refuseBefore, spanTimes, redact, meter }: WholeIntake,
  { signal, encoding, body }: SentRequest,
  { peer, gone }: Sender,
): Promise<TakenRequest> {
  const options = {
    signal,
    refuseBefore: refuseBefore?.(),
    times: spanTimes?.() ?? READABLE_TIMES,
    maxDays: MAX_DAYS,
    redact,
  }
  const received = await receiveInTurn(checkers, { encoding, body, options })
  if (!received.ok) return received
  const { request } = received
  if (signal === 'traces') meter.refuseSpans(request.refusedFor)
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
