import type { PlanFilters } from './plan-filters.js'
import { FOREIGN_PLANS, OWN_PLANS } from './plan-kinds.js'
import { querySql, streamFile, type QueryTarget } from './query.js'
import { ALL_PLANS, EARLIEST, LATEST } from './time-bounds.js'

/** The views of plans and of what is in them. */
export const PLAN_VIEWS = [
  'plannings',
  'agents',
  'think_acts',
  'tool_calls',
  'model_calls',
  'risks',
  'research_calls',
  'waits',
  'reviews',
  'steps',
  'plans',
  'plan_usage',
] as const
export type PlanView = (typeof PLAN_VIEWS)[number]

export interface ViewOptions extends PlanFilters {
  /**
   * The time by which a silent plan counts as interrupted, nanoseconds since the Unix epoch.
   * @default the clock's
   */
  now?: bigint
}

/** The rows that a view has of some plans, as a Parquet file in pieces. */
export function streamView(
  target: QueryTarget,
  view: PlanView,
  options: ViewOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { since = EARLIEST, until = LATEST, now = BigInt(Date.now()) * 1_000_000n } = options
  const listing = { ...options, sort: 'start', order: 'desc', isBehind: false } as const
  const own = OWN_PLANS.pageQuery(target, listing)
  const foreign = FOREIGN_PLANS.pageQuery(target, listing)
  const query = querySql('view_rows', {
    database: target.database,
    view,
    own_plans: own.query,
    foreign_plans: foreign.query,
  })
  const from = since > EARLIEST ? since : EARLIEST
  return streamFile(target, query, {
    ...own.params,
    from: String(from),
    to: String(until),
    now: String(now),
    limit: ALL_PLANS,
  })
}
