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
