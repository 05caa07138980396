import { PlanspanError } from '../../error.js'
import { createStoreClient } from '../../store/index.js'
import type { Contents } from './manifest.js'

interface FoundPart {
  readonly database: string
  readonly table: string
  readonly name: string
  readonly rows: number
}

/** Lets ClickHouse read a whole table. */
const TIMEOUT_MS = 3_600_000

/**
 * Checks that ClickHouse has the parts of all tables with all of their rows, and finds none of them damaged. Throws
 * `clickhouse_failed`.
 */
export async function checkRestored(url: string, tables: Contents['tables']): Promise<void> {
  const client = createStoreClient({ url, requestTimeoutMs: TIMEOUT_MS })
  const read = async <Row>(query: string, params: Readonly<Record<string, unknown>> = {}) =>
    (await client.query({ query, query_params: params, format: 'JSONEachRow' })).json<Row>()
  try {
    await client.command({ query: 'SYSTEM STOP MERGES' })
    // Merged parts remain in the list for some minutes.
    const found = await read<FoundPart>('SELECT database, table, name, toFloat64(rows) AS rows FROM system.parts')
    const rowsOf = new Map(found.map(({ database, table, name, rows }) => [keyOf(database, table, name), rows]))
    for (const { database, table, parts } of tables) {
      const missing = Object.entries(parts).find(
        // ClickHouse removes parts without remaining rows, soon after a start.
        ([name, rows]) => rows > 0 && rowsOf.get(keyOf(database, table, name)) !== rows,
      )
      if (missing)
        throw isDamaged(`${database}.${table} has not the ${String(missing[1])} rows of its part ${missing[0]}`)
      const [check] = await read<{ result: number }>(
        'CHECK TABLE {database:Identifier}.{table:Identifier} SETTINGS check_query_single_value_result = 1',
        { database, table },
      )
      if (check?.result !== 1) throw isDamaged(`CHECK TABLE ${database}.${table} finds it damaged`)
    }
  } finally {
    await client.close()
  }
}

const keyOf = (...names: readonly string[]): string => names.join('\n')

const isDamaged = (what: string): PlanspanError =>
  new PlanspanError('clickhouse_failed', `ClickHouse reads the restored store differently: ${what}.`)
