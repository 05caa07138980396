import type { ClickHouseClient } from '@clickhouse/client'

import { PLAN_ROW, type PlanRowValues, type RowColumn } from '../../src/store/row-tables/index.js'
import { nanos } from './spans.js'

type Required = 'TraceId' | 'PlanId'
export type TestPlanRow = Pick<PlanRowValues, Required> & Partial<Omit<PlanRowValues, Required>>

/** A listed, completed live plan, the other values as ClickHouse fills them in. */
const planRow = (row: TestPlanRow): TestPlanRow => ({
  Timestamp: nanos(0),
  RootPlanId: row.PlanId,
  LastSeen: row.Timestamp ?? nanos(0),
  State: 'completed',
  Listed: 2,
  Role: 'plan',
  Version: 1n,
  ...row,
})

/** Inserts rows as the indexer writes them, in one part. */
export async function insertPlanRows(
  client: ClickHouseClient,
  database: string,
  rows: readonly TestPlanRow[],
): Promise<void> {
  const columns = new Map<string, RowColumn<unknown>>(Object.entries(PLAN_ROW) as [string, RowColumn<unknown>][])
  await client.insert({
    table: `${database}.plan_rows`,
    values: rows.map((row) =>
      Object.fromEntries(
        Object.entries(planRow(row)).map(([name, value]) => [name, columns.get(name)?.toJson(value) ?? null]),
      ),
    ),
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}
