import { allPlans, type AllPlansOptions } from './all-plans.js'
import { querySql, streamFile, type QueryTarget } from './query.js'

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

/** A view that can be exported. */
export type PlanView = (typeof PLAN_VIEWS)[number]

/** The rows that a view has of some plans, as a Parquet file in pieces. */
export function streamView(
  target: QueryTarget,
  view: PlanView,
  options: AllPlansOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { sql, params } = allPlans(target, options)
  return streamFile(target, querySql('view_rows', { ...sql, view }), params)
}
