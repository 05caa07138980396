import { PlanspanError } from '../../error.js'
import type { WriteRequest } from './frame.js'

/** The result of a write: the number of spans that were refused, and the reason. */
export interface WriteResult {
  readonly rejectedSpans: number
  readonly errorMessage: string
}

export const STORED: WriteResult = { rejectedSpans: 0, errorMessage: '' }

/** Warns that spans were refused after they had been acknowledged. A receiver's checks let none through that can be. */
export function tellOfLoss({ rejectedSpans, errorMessage }: WriteResult): void {
  if (rejectedSpans === 0) return
  process.emitWarning(`${String(rejectedSpans)} acknowledged spans are lost. ${errorMessage} Please report this.`)
}

export interface Isolation {
  /** Stores requests as one insert. */
  insert(requests: readonly WriteRequest[]): Promise<void>
  /** The reason why the data of an insert was refused; undefined for any other error. */
  refusal(error: unknown): string | undefined
  /** Whether a smaller insert may succeed after this error. */
  wantsLess(error: unknown): boolean
  /** The request with only the spans for whose index `keep` returns true. */
  narrow(request: WriteRequest, keep: (span: number) => boolean): Uint8Array
}

/**
 * Stores requests. If ClickHouse refuses the data, they are halved, first by request, then by span, until the refused
 * spans are isolated and all others are stored. Requests that are too large for one insert are halved, too. Throws any
 * other error.
 */
export async function insertIsolated(isolation: Isolation, requests: readonly WriteRequest[]): Promise<WriteResult[]> {
  try {
    const refusal = await tryInsert(isolation, requests)
    if (refusal === undefined) return requests.map(() => STORED)
    const [only] = requests
    if (requests.length === 1 && only) return [await insertSpans(isolation, only, 0, only.spans, refusal)]
  } catch (error) {
    if (requests.length === 1 || !isolation.wantsLess(error)) throw error
  }
  const middle = requests.length >>> 1
  const first = await insertIsolated(isolation, requests.slice(0, middle))
  return [...first, ...(await insertIsolated(isolation, requests.slice(middle)))]
}

/** Stores the good ones of the spans from `start` to `end`, which were refused together. */
async function insertSpans(
  isolation: Isolation,
  request: WriteRequest,
  start: number,
  end: number,
  refusal: string,
): Promise<WriteResult> {
  if (end - start <= 1) return { rejectedSpans: end - start, errorMessage: refusal }
  const middle = (start + end) >>> 1
  let rejectedSpans = 0
  let errorMessage = ''
  for (const [from, to] of [
    [start, middle],
    [middle, end],
  ] as const) {
    const part = narrowed(isolation, request, from, to)
    if (!part) return { rejectedSpans: end - start, errorMessage: refusal }
    const reason = await tryInsert(isolation, [part])
    if (reason === undefined) continue
    const result = await insertSpans(isolation, request, from, to, reason)
    rejectedSpans += result.rejectedSpans
    errorMessage ||= result.errorMessage
  }
  return { rejectedSpans, errorMessage }
}

/** The request with only its spans from `start` to `end`; undefined if it can't be read, and is refused entirely. */
function narrowed(isolation: Isolation, request: WriteRequest, start: number, end: number): WriteRequest | undefined {
  try {
    return { ...request, body: isolation.narrow(request, (span) => span >= start && span < end), spans: end - start }
  } catch (error) {
    if (error instanceof PlanspanError) return undefined
    throw error
  }
}

async function tryInsert(isolation: Isolation, requests: readonly WriteRequest[]): Promise<string | undefined> {
  try {
    await isolation.insert(requests)
    return undefined
  } catch (error) {
    const refusal = isolation.refusal(error)
    if (refusal === undefined) throw error
    return refusal
  }
}
