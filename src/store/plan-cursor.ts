import { PlanspanError } from '../error.js'

/** The position of a page's last plan in the sort order. */
export interface PlanCursor {
  /** Nanoseconds since the Unix epoch. */
  readonly start: bigint
  readonly traceId: string
  readonly planId: string
}

/** A cursor as text that fits a URL. */
export const encodeCursor = ({ start, traceId, planId }: PlanCursor): string =>
  Buffer.from(JSON.stringify([String(start), traceId, planId])).toString('base64url')

/** Reads a cursor. Throws `usage` for text that `encodeCursor` has not written. */
export function decodeCursor(cursor: string): PlanCursor {
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString())
  if (Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === 'string')) {
    const [start = '', traceId = '', planId = ''] = parts
    const isTime = /^-?\d{1,19}$/.test(start) && BigInt.asIntN(64, BigInt(start)) === BigInt(start)
    if (isTime) return { start: BigInt(start), traceId, planId }
  }
  throw new PlanspanError('usage', 'The cursor is none of planspan. Take the one of the page before, or leave it out.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
