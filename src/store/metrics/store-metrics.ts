import { roomLeft } from '../disk-room.js'
import { readRows, type QueryTarget } from '../query.js'
import { plansByState, type PlansByState } from './plans-by-state.js'

/** What is counted of all that is stored. */
export interface StoreMetrics {
  /** Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`. */
  plansByState(): Promise<PlansByState>
  /** Whether ClickHouse answers. Throws nothing. */
  isUp(): Promise<boolean>
  /** The room for new rows, bytes; undefined where that can't be told. */
  room(): Promise<number | undefined>
}

export const createStoreMetrics = (target: QueryTarget): StoreMetrics => ({
  plansByState: () => plansByState(target),
  isUp: () =>
    readRows(target, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  room: () => roomLeft(target),
})
