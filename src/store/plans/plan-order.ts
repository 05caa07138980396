import { PlanspanError } from '../../error.js'
import { PLAN_DURATION } from './plan-filters.js'

/** The values that plans can be sorted by. Plans without a cost or a risk are the lowest. */
export const PLAN_SORTS = ['start', 'duration', 'tokens', 'cost', 'risk'] as const
export type PlanSort = (typeof PLAN_SORTS)[number]

export const PLAN_ORDERS = ['desc', 'asc'] as const
export type PlanOrder = (typeof PLAN_ORDERS)[number]

/** The whole number that plans are sorted by before their start, as SQL over a row of `plan_rows`. */
export const RANKS: Readonly<Record<PlanSort, string>> = {
  start: 'toInt64(0)',
  duration: PLAN_DURATION,
  tokens: 'TotalTokens',
  cost: 'ifNull(toInt64(round(CostUsd * 1000000000)), -1)',
  risk: 'ifNull(toInt64(round(least(greatest(Risk, -1000000000), 1000000000) * 1000000000)), -1000000000000000001)',
}

/** Throws `usage` for an unknown sort or order. */
export function checkOrder({ sort, order }: { sort: string; order: string }): void {
  const check = (what: string, given: string, known: readonly string[]): void => {
    if (known.includes(given)) return
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(given)} is not a valid ${what}. Valid values are ${known.join(', ')}.`,
    )
  }
  check('sort', sort, PLAN_SORTS)
  check('order', order, PLAN_ORDERS)
}

/** The position of a page's last plan in an order. */
export interface PlanCursor {
  readonly sort: PlanSort
  readonly order: PlanOrder
  /** The number that plans are sorted by before their start; 0 if they are sorted by start only. */
  readonly rank: bigint
  /** Nanoseconds since the Unix epoch. */
  readonly start: bigint
  readonly traceId: string
  readonly planId: string
}

/** Encodes a cursor as URL-safe text. */
export const encodeCursor = ({ sort, order, rank, start, traceId, planId }: PlanCursor): string =>
  Buffer.from(JSON.stringify([sort, order, String(rank), String(start), traceId, planId])).toString('base64url')

/** Decodes a cursor of an order. Throws `usage` for malformed text, and for a cursor of another order. */
export function decodeCursor(cursor: string, { sort, order }: Pick<PlanCursor, 'sort' | 'order'>): PlanCursor {
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString())
  if (Array.isArray(parts) && parts.length === 6 && parts.every((part) => typeof part === 'string')) {
    const [ofSort = '', ofOrder = '', rank = '', start = '', traceId = '', planId = ''] = parts
    if (isInt64(rank) && isInt64(start)) {
      if (ofSort === sort && ofOrder === order) {
        return { sort, order, rank: BigInt(rank), start: BigInt(start), traceId, planId }
      }
      throw new PlanspanError(
        'usage',
        `The cursor is for plans sorted by ${ofSort} ${ofOrder}, not ${sort} ${order}. Request that order, or omit the cursor.`,
      )
    }
  }
  throw new PlanspanError('usage', 'The cursor is malformed. Use the cursor of the previous page, or omit it.')
}

const isInt64 = (text: string): boolean => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
