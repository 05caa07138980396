import { planCondition, type PlanSelection } from './plan-filters.js'
import { querySql, streamFile, type QueryTarget } from '../client/query.js'

/** The views of plans and of their parts. */
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

/** Streams the rows of a view that belong to the selected plans as a Parquet file. */
export async function* streamView(
  target: QueryTarget,
  view: PlanView,
  selection: PlanSelection,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { where, params } = planCondition(selection)
  await target.indexed?.()
  yield* streamFile(target, querySql('view_rows', { database: target.database, view, where }), params)
}
