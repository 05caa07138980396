import { PlanspanError } from '../error.js'
import type { SpanTimes } from '../semconv/index.js'
import type { RefusedFor } from './span-verdict.js'

/** The two encodings of OTLP/HTTP. */
export type Encoding = 'protobuf' | 'json'

/** A request that ClickHouse reads exactly as the collector would. */
export interface StoreRequest {
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** The number of spans in the body. */
  readonly spans: number
  /** The number of its resources, scopes, spans, events, links, attributes and elements of lists, where counted. */
  readonly parts?: number
}

export interface CheckOptions {
  /** Spans that start before this time (unix nanoseconds) are refused. @default undefined: none */
  readonly refuseBefore?: bigint | undefined
  /** The times at which spans may start. @default all that the store can hold */
  readonly times?: SpanTimes | undefined
  /** On how many days spans of a request may start; those of further days are refused. @default any number */
  readonly maxDays?: number | undefined
  /** Whether secrets are masked. @default false */
  readonly redact?: boolean | undefined
  /** Whether the check throws `NotLight` for a request that takes long or has places to rewrite. @default false */
  readonly lightOnly?: boolean | undefined
}

/** A well-formed request, and the findings of its check. */
export interface CheckedRequest {
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** The number of its spans, including refused ones. */
  readonly spanCount: number
  /** The number of its resources, scopes, spans, events, links, attributes and elements of lists. */
  readonly parts: number
  /** The refused spans: index in the request ⇒ reason. */
  readonly refused: ReadonlyMap<number, string>
  /** How many spans were refused for what. */
  readonly refusedFor: ReadonlyMap<RefusedFor, number>
  /** When the others ended, Unix milliseconds. */
  readonly ends: readonly number[]
  /** The attribute values that must become text: alternating start and end of each AnyValue, ascending byte offsets. */
  readonly values: readonly number[]
  /**
   * The positions of everything else that ClickHouse would read differently from the collector: ascending byte offsets.
   */
  readonly marks: readonly number[]
  /** The first resource's bytes; undefined if there is none. */
  readonly resource: Uint8Array | undefined
}

export type CheckResult = { readonly ok: true; readonly request: CheckedRequest } | Unreadable

/** A request that is none, or one that would cost too much. */
export interface Unreadable {
  readonly ok: false
  readonly message: string
  readonly isTooLarge: boolean
}

/** On how many days the spans of a request may start: each is a part of its own in several tables. */
export const MAX_DAYS = 100

/** Why a request can't be taken, told by what its check threw. Throws what is not about the request. */
export function unreadable(error: unknown): Unreadable {
  if (!(error instanceof PlanspanError)) throw error
  return { ok: false, message: error.message, isTooLarge: error.code === 'request_too_large' }
}

/** The index of the first of some ascending offsets that is not below `start`. */
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

/** Whether one of some ascending offsets lies within the bytes from start to end (exclusive). */
export const hasOffset = (offsets: readonly number[], start: number, end: number): boolean =>
  (offsets[indexFrom(offsets, start)] ?? end) < end
