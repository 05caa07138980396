import { readBrokenParts } from '../upkeep/damage.js'
import { roomLeft } from '../upkeep/disks.js'
import { readRows, type QueryTarget, querySql } from '../client/query.js'
import { STATES, type State } from '../../semconv/index.js'
import { PLAN_STATE, planCondition } from '../plans/plan-filters.js'

/** Metrics of the stored data. */
export interface StoreMetrics {
  /** Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`. */
  plansByState(): Promise<PlansByState>
  /** Whether ClickHouse answers. Never throws. */
  isUp(): Promise<boolean>
  /** The free space for new rows, bytes; undefined if unknown. */
  room(): Promise<number | undefined>
  /** The number of parts that ClickHouse could not read; undefined if unknown. */
  brokenParts(): Promise<number | undefined>
}

export const createStoreMetrics = (target: QueryTarget): StoreMetrics => ({
  plansByState: () => plansByState(target),
  isUp: () =>
    readRows(target, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  brokenParts: () =>
    readBrokenParts(target).then(
      ({ length }) => length,
      () => undefined,
    ),
  room: async () => (await roomLeft(target))?.room,
})

/** The number of plans in each state. */
export type PlansByState = Readonly<Record<State, number>>

/** Counts all plans. Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`. */
async function plansByState(target: QueryTarget): Promise<PlansByState> {
  const { where, params } = planCondition({})
  const sql = querySql('plans_by_state', { database: target.database, state: PLAN_STATE, where })
  await target.indexed?.()
  const rows = await readRows<{ state: State; plans: number | string }>(target, sql, params)
  const counted = new Map(rows.map(({ state, plans }) => [state, Number(plans)]))
  return Object.fromEntries(STATES.map((state) => [state, counted.get(state) ?? 0])) as PlansByState
}
