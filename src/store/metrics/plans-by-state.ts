import { STATES, type State } from '../../semconv/index.js'
import { PLAN_STATE, planCondition } from '../plan-filters.js'
import { querySql, readRows, type QueryTarget } from '../query.js'

/** The number of plans in each state. */
export type PlansByState = Readonly<Record<State, number>>

/** Counts all plans. Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`. */
export async function plansByState(target: QueryTarget): Promise<PlansByState> {
  const { where, params } = planCondition({})
  const sql = querySql('plans_by_state', { database: target.database, state: PLAN_STATE, where })
  await target.indexed?.()
  const rows = await readRows<{ state: State; plans: number | string }>(target, sql, params)
  const counted = new Map(rows.map(({ state, plans }) => [state, Number(plans)]))
  return Object.fromEntries(STATES.map((state) => [state, counted.get(state) ?? 0])) as PlansByState
}
