import { PlanspanError } from '../../error.js'
import type { WriteRequest } from './frame.js'

/** The result of a write: the number of rejected spans, and the reason. */
export interface WriteResult {
  readonly rejectedSpans: number
  readonly errorMessage: string
}

export const STORED: WriteResult = { rejectedSpans: 0, errorMessage: '' }

/**
 * Warns that spans were rejected after they had been acknowledged. The checks of the receiver are meant to reject such
 * spans before.
 */
export function warnOfLostSpans({ rejectedSpans, errorMessage }: WriteResult): void {
  if (rejectedSpans === 0) return
  process.emitWarning(`${String(rejectedSpans)} acknowledged spans were lost. ${errorMessage} Please report this.`)
}

/** The operations that `insertIsolated` needs. */
export interface Isolation {
  /** Stores requests as one insert. */
  insert(requests: readonly WriteRequest[]): Promise<void>
  /** Returns the reason why the data of an insert was rejected; undefined for any other error. */
  rejection(error: unknown): string | undefined
  /** Whether the insert was too large, so that a smaller one may succeed. */
  isTooLarge(error: unknown): boolean
  /** Returns a request that contains only the spans for whose index `keep` returns true. */
  narrow(request: WriteRequest, keep: (span: number) => boolean): Uint8Array
}

/**
 * Stores requests. If ClickHouse rejects the data, they are halved, first by request, then by span, until the rejected
 * spans are isolated and all others are stored. Requests that are too large for one insert are halved, too. Throws any
 * other error.
 */
export async function insertIsolated(isolation: Isolation, requests: readonly WriteRequest[]): Promise<WriteResult[]> {
  try {
    const rejection = await tryInsert(isolation, requests)
    if (rejection === undefined) return requests.map(() => STORED)
    const [only] = requests
    if (requests.length === 1 && only) return [await insertSpans(isolation, only, 0, only.spans, rejection)]
  } catch (error) {
    if (requests.length === 1 || !isolation.isTooLarge(error)) throw error
  }
  const middle = requests.length >>> 1
  const first = await insertIsolated(isolation, requests.slice(0, middle))
  return [...first, ...(await insertIsolated(isolation, requests.slice(middle)))]
}

/** Stores the valid spans among those from `start` to `end`, which were rejected together. */
async function insertSpans(
  isolation: Isolation,
  request: WriteRequest,
  start: number,
  end: number,
  rejection: string,
): Promise<WriteResult> {
  if (end - start <= 1) return { rejectedSpans: end - start, errorMessage: rejection }
  const middle = (start + end) >>> 1
  let rejectedSpans = 0
  let errorMessage = ''
  for (const [from, to] of [
    [start, middle],
    [middle, end],
  ] as const) {
    const part = narrowed(isolation, request, from, to)
    if (!part) return { rejectedSpans: end - start, errorMessage: rejection }
    const reason = await tryInsert(isolation, [part])
    if (reason === undefined) continue
    const result = await insertSpans(isolation, request, from, to, reason)
    rejectedSpans += result.rejectedSpans
    errorMessage ||= result.errorMessage
  }
  return { rejectedSpans, errorMessage }
}

/** Returns a request with only the spans from `start` to `end`; undefined for a malformed request. */
function narrowed(isolation: Isolation, request: WriteRequest, start: number, end: number): WriteRequest | undefined {
  try {
    return { ...request, body: isolation.narrow(request, (span) => span >= start && span < end), spans: end - start }
  } catch (error) {
    if (error instanceof PlanspanError) return undefined
    throw error
  }
}

/** Inserts requests. Returns the reason if ClickHouse rejects the data, and undefined on success. */
async function tryInsert(isolation: Isolation, requests: readonly WriteRequest[]): Promise<string | undefined> {
  try {
    await isolation.insert(requests)
    return undefined
  } catch (error) {
    const rejection = isolation.rejection(error)
    if (rejection === undefined) throw error
    return rejection
  }
}
