import type { ClickHouseClient } from '@clickhouse/client'

import { dateTime, type PlanRowValues } from '../../src/store/row-tables/index.js'
import { insertRows } from './insert-rows.js'
import { nanos } from './spans.js'

/** A row of a plan; times are nanoseconds since the Unix epoch. */
export type TestPlanRow = Partial<Omit<PlanRowValues, Time | 'Version'>> &
  Partial<Readonly<Record<Time, bigint>>> & {
    readonly TraceId: string
    readonly PlanId: string
    readonly Version?: bigint
  }

type Time = 'Timestamp' | 'LastSeen' | 'InterruptedAt' | 'WaitingSince'

/** Inserts rows as the indexer writes them, in one part; the rows default to completed live plans that are listed. */
export async function insertPlanRows(
  client: ClickHouseClient,
  database: string,
  rows: readonly TestPlanRow[],
): Promise<void> {
  await insertRows(
    client,
    database,
    'plans',
    rows.map((row) => {
      const { Timestamp = nanos(0), LastSeen = Timestamp, InterruptedAt, WaitingSince, Version = 1n, ...values } = row
      return {
        RootPlanId: row.PlanId,
        State: 'completed',
        Listed: 2,
        Role: 'plan',
        ...values,
        Timestamp: dateTime(Timestamp),
        LastSeen: dateTime(LastSeen),
        InterruptedAt: InterruptedAt === undefined ? null : dateTime(InterruptedAt),
        WaitingSince: WaitingSince === undefined ? null : dateTime(WaitingSince),
        Version: String(Version),
      }
    }),
  )
}
