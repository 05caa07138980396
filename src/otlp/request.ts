/** The two encodings of OTLP/HTTP. */
export type Encoding = 'protobuf' | 'json'

/** A request that ClickHouse reads exactly as the collector would. */
export interface StoreRequest {
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** The number of spans in the body. */
  readonly spans: number
}

export interface CheckOptions {
  /** Spans that start before this time (unix nanoseconds) are refused. @default undefined: none */
  readonly refuseBefore?: bigint | undefined
}

/** A well-formed request, and the findings of its check. */
export interface CheckedRequest {
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** The number of its spans, including refused ones. */
  readonly spanCount: number
  /** The refused spans: index in the request ⇒ reason. */
  readonly refused: ReadonlyMap<number, string>
  /** The attribute values that must become text: alternating start and end of each AnyValue, ascending byte offsets. */
  readonly values: readonly number[]
  /**
   * The positions of everything else that ClickHouse would read differently from the collector: ascending byte offsets.
   */
  readonly marks: readonly number[]
  /** The first resource's bytes; undefined if there is none. */
  readonly resource: Uint8Array | undefined
}

export type CheckResult =
  | { readonly ok: true; readonly request: CheckedRequest }
  | { readonly ok: false; readonly message: string }

/** Requests with values nested deeper than this are refused: no reader should have to follow them. */
export const MAX_DEPTH = 200

/** Requests with more marks than this are refused: rewriting them would cost many times their memory. */
const MAX_MARKS = 1 << 20

/** Adds an offset to the marks; returns an error message if there are too many. */
export function addMark(marks: number[], offset: number): string | undefined {
  if (marks.push(offset) <= MAX_MARKS) return undefined
  return `The request has more than ${MAX_MARKS} places that would have to be written anew for ClickHouse`
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
