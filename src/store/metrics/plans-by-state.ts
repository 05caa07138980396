import { STATES, type State } from '../../semconv/index.js'
import { allPlans } from '../all-plans.js'
import { querySql, readRows, type QueryTarget } from '../query.js'

/** How many plans there are of each state, as lists tell them. */
export type PlansByState = Readonly<Record<State, number>>

/** Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`. */
export async function plansByState(target: QueryTarget): Promise<PlansByState> {
  const { sql, params } = allPlans(target, {})
  const rows = await readRows<{ state: State; plans: number | string }>(target, querySql('plans_by_state', sql), params)
  const counted = new Map(rows.map(({ state, plans }) => [state, Number(plans)]))
  return Object.fromEntries(STATES.map((state) => [state, counted.get(state) ?? 0])) as PlansByState
}
