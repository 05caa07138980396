import { checkFilters, type PlanFilters } from './plan-filters.js'
import { FOREIGN_PLANS, OWN_PLANS } from './plan-kinds.js'
import type { QueryTarget } from './query.js'
import { EARLIEST, LATEST } from './time-bounds.js'
import { unixNanoNow } from './unix-nano-now.js'

export interface AllPlansOptions extends PlanFilters {
  /**
   * The time by which a silent plan counts as interrupted, nanoseconds since the Unix epoch.
   * @default the clock's
   */
  now?: bigint
}

/** Queries for all plans that are asked for, for SQL over them, and their parameters. */
export function allPlans(target: QueryTarget, options: AllPlansOptions) {
  checkFilters(options)
  const { since = EARLIEST, until = LATEST, now = unixNanoNow() } = options
  const from = since > EARLIEST ? since : EARLIEST
  const isOfAllTime = from === EARLIEST && until === LATEST
  const listing = { ...options, sort: 'start', order: 'desc', isBehind: false, isOfAllTime, isWhole: true } as const
  const own = OWN_PLANS.pageQuery(target, listing)
  const foreign = FOREIGN_PLANS.pageQuery(target, listing)
  return {
    isOfAllTime,
    sql: { database: target.database, own_plans: own.query, foreign_plans: foreign.query },
    params: { ...own.params, from: String(from), to: String(until), now: String(now) },
  }
}
