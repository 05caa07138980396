import { PlanspanError } from '../error.js'

/** What plans can be sorted by; what has no cost or no risk comes after all that has one. */
export const PLAN_SORTS = ['start', 'duration', 'tokens', 'cost', 'risk'] as const
export type PlanSort = (typeof PLAN_SORTS)[number]

export const PLAN_ORDERS = ['desc', 'asc'] as const
export type PlanOrder = (typeof PLAN_ORDERS)[number]

/** SQL for what a plan of a kind is listed by. */
export interface PlanColumns {
  readonly start: string
  /** Nanoseconds. */
  readonly duration: string
  /** The trace and the plan by which its figures are found. */
  readonly figuresKey: readonly [trace: string, plan: string]
}

/** The whole number that plans are sorted by before their start, as SQL. */
export function rankSql(sort: PlanSort, { duration }: PlanColumns): string {
  switch (sort) {
    case 'start':
      return 'toInt64(0)'
    case 'duration':
      return duration
    case 'tokens':
      return 'toInt64(figure.tokens)'
    case 'cost':
      return `if(figure.traceId = '', -1, toInt64(figure.cost))`
    case 'risk':
      return 'ifNull(toInt64(round(least(greatest(figure.risk, -1000000000), 1000000000) * 1000000000)), -1000000000000000001)'
  }
}

/** Throws `usage` for a sort or an order that is none. */
export function checkOrder({ sort, order }: { sort: string; order: string }): void {
  const refuse = (what: string, given: string, known: readonly string[]): void => {
    if (known.includes(given)) return
    throw new PlanspanError('usage', `Plans have no ${what} ${JSON.stringify(given)}, but ${known.join(', ')}.`)
  }
  refuse('sort', sort, PLAN_SORTS)
  refuse('order', order, PLAN_ORDERS)
}
