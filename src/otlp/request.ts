import { PlanspanError } from '../error.js'
import type { SpanTimes } from '../semconv/index.js'
import type { Signal, StoredSignal } from './signal.js'
import type { RefusedFor } from './item-verdict.js'

/** The two encodings of OTLP/HTTP. */
export type Encoding = 'protobuf' | 'json'

/** A request that ClickHouse reads exactly as the collector would. */
export interface StoreRequest {
  /** @default 'traces' */
  readonly signal?: StoredSignal
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** The number of spans or log records in the body. */
  readonly spans: number
  /** The number of resources, scopes, spans, events, links, attributes and list elements; undefined if not counted. */
  readonly parts?: number
}

export interface CheckOptions {
  /** @default 'traces' */
  readonly signal?: Signal | undefined
  /** Spans that start before this time (Unix nanoseconds) are rejected. @default undefined: no limit */
  readonly refuseBefore?: bigint | undefined
  /** The times at which spans may start. @default all that the store can hold */
  readonly times?: SpanTimes | undefined
  /** The most days on which the spans of a request may start; spans of further days are rejected. @default no limit */
  readonly maxDays?: number | undefined
  /** Whether to mask secrets. @default false */
  readonly redact?: boolean | undefined
  /** Whether to throw `NotLight` for a request that takes long to check or needs rewriting. @default false */
  readonly lightOnly?: boolean | undefined
}

/** A well-formed request with the findings of its check. */
export interface CheckedRequest {
  readonly signal: Signal
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** The number of spans, log records or data points, including rejected ones. */
  readonly spanCount: number
  /** The number of resources, scopes, spans, events, links, attributes and list elements. */
  readonly parts: number
  /** The rejected spans: index in the request ⇒ reason. */
  readonly refused: ReadonlyMap<number, string>
  /** The number of rejected spans by reason. */
  readonly refusedFor: ReadonlyMap<RefusedFor, number>
  /** When the accepted spans ended, Unix milliseconds. */
  readonly ends: readonly number[]
  /** The attribute values that must become text: alternating start and end of each AnyValue, ascending byte offsets. */
  readonly values: readonly number[]
  /**
   * The positions of all else that ClickHouse would read differently from the collector: ascending byte offsets.
   */
  readonly marks: readonly number[]
  /** The first resource's bytes; undefined without a resource. */
  readonly resource: Uint8Array | undefined
}

export type CheckResult = { readonly ok: true; readonly request: CheckedRequest } | MalformedRequest

/** A malformed or oversized request. */
export interface MalformedRequest {
  readonly ok: false
  readonly message: string
  readonly isTooLarge: boolean
}

/** The most days on which the spans of a request may start: each day becomes a separate part in several tables. */
export const MAX_DAYS = 100

/** Converts an error that a check threw into its result. Rethrows errors that are not about the request. */
export function malformed(error: unknown): MalformedRequest {
  if (!(error instanceof PlanspanError)) throw error
  return { ok: false, message: error.message, isTooLarge: error.code === 'request_too_large' }
}

/** Returns the index of the first ascending offset that is not below `start`. */
export function indexFrom(offsets: readonly number[], start: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether any of the ascending offsets lies between start and end, end excluded. */
export const hasOffset = (offsets: readonly number[], start: number, end: number): boolean =>
  (offsets[indexFrom(offsets, start)] ?? end) < end
