/** The two encodings of OTLP/HTTP. */
export type Encoding = 'protobuf' | 'json'

/** A request that ClickHouse reads as the collector would. */
export interface StoreRequest {
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** How many spans the body holds. */
  readonly spans: number
}

export interface CheckOptions {
  /** Spans that start before this time (unix nanoseconds) are refused. @default undefined: none */
  readonly refuseBefore?: bigint | undefined
}

/** A well-formed request, and what a look at its frames told. */
export interface CheckedRequest {
  readonly encoding: Encoding
  readonly body: Uint8Array
  /** All its spans, the refused ones too. */
  readonly spanCount: number
  /** The refused spans: number in the request, from 0 ⇒ reason. */
  readonly refused: ReadonlyMap<number, string>
  /** The attribute values that must become text: start and end of each AnyValue by turns, ascending byte offsets. */
  readonly values: readonly number[]
  /** Where stands what else ClickHouse would not read as the collector does: ascending byte offsets. */
  readonly marks: readonly number[]
}

export type CheckResult =
  | { readonly ok: true; readonly request: CheckedRequest }
  | { readonly ok: false; readonly message: string }

/** Nested values deeper than this are refused with their request: no reader should have to follow them. */
export const MAX_DEPTH = 200

/** More places to rewrite than this are refused with their request: they would cost many times its memory. */
const MAX_MARKS = 1 << 20

/** Adds an offset to marks; answers why there are too many. */
export function addMark(marks: number[], offset: number): string | undefined {
  if (marks.push(offset) <= MAX_MARKS) return undefined
  return `The request has more than ${MAX_MARKS} places that would have to be written anew for ClickHouse`
}

/** The first of some ascending offsets that is not below `start`: its index. */
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

/** Says whether one of some ascending offsets lies within the bytes from start to end (end excluded). */
export const hasOffset = (offsets: readonly number[], start: number, end: number): boolean =>
  (offsets[indexFrom(offsets, start)] ?? end) < end
