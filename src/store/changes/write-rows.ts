import { Readable } from 'node:stream'
import { text as drained } from 'node:stream/consumers'

import { storeError } from '../client/store-error.js'
import { querySql, type QueryTarget, readRows } from '../client/query.js'
import { fillSql } from '../client/sql-file.js'
import { dateTime, ROW_TABLES, rowInsert } from '../row-tables/index.js'

export type RowTableName = keyof typeof ROW_TABLES

/** The key of a row: its table and the values of the table's key. */
export interface RowKey {
  readonly table: RowTableName
  readonly traceId: string
  /** Nanoseconds since the Unix epoch. */
  readonly time: bigint
  /** The other columns of the key, in the order of the table's key. */
  readonly rest: readonly string[]
}

/** A row with its key. */
export interface WrittenRow {
  readonly key: RowKey
  /** The names of all columns but `Version` and `Gone`. */
  readonly columns: readonly string[]
  /** Their values, as a JSON list without its closing bracket. */
  readonly values: string
}

/** Serializes the values of a row, except `Version` and `Gone`. */
export const writtenRow = (key: RowKey, row: object): WrittenRow => ({
  key,
  columns: Object.keys(row),
  values: JSON.stringify(Object.values(row)).slice(0, -1),
})

/** Rows to write and rows to remove. */
export interface RowChanges {
  readonly written: readonly (WrittenRow & { readonly version: bigint })[]
  readonly removed: readonly (RowKey & { readonly version: bigint })[]
}

/** Writes and removes rows. Among rows with the same key, the highest version counts. Throws the store's errors. */
export async function writeRows(target: QueryTarget, { written, removed }: RowChanges): Promise<void> {
  const tables = Object.keys(ROW_TABLES) as RowTableName[]
  await Promise.all(
    tables.map(async (table) => {
      const rows = written.filter(({ key }) => key.table === table)
      const [first] = rows
      if (first) {
        const lines = rows.map(({ values, version }) => `${values},"${String(version)}",0]`)
        await insertLines(target, { table, columns: [...first.columns, 'Version', 'Gone'], lines })
      }
      const gone = removed.filter((key) => key.table === table)
      if (gone.length > 0) {
        const lines = gone.map((key) => JSON.stringify([...keyValues(key), String(key.version), 1]))
        await insertLines(target, { table, columns: [...ROW_TABLES[table].key, 'Version', 'Gone'], lines })
      }
    }),
  )
}

/** The values of a table's key in its order. */
function keyValues({ table, traceId, time, rest }: RowKey): unknown[] {
  const others = [...rest]
  const ofTime = dateTime(time)
  return ROW_TABLES[table].key.map((name) =>
    name === 'Timestamp' ? ofTime : name === 'TraceId' ? traceId : others.shift(),
  )
}

interface Lines {
  readonly table: RowTableName
  readonly columns: readonly string[]
  readonly lines: readonly string[]
}

async function insertLines({ client, url, database }: QueryTarget, { table, columns, lines }: Lines): Promise<void> {
  try {
    const { stream } = await client.exec({
      query: fillSql(`${rowInsert(ROW_TABLES[table], columns)}\nFORMAT JSONCompactEachRow`, { database }),
      values: Readable.from([lines.join('\n')], { objectMode: false }),
      clickhouse_settings: {
        async_insert: 0,
        max_partitions_per_insert_block: '0',
        optimize_on_insert: 0,
        distributed_foreground_insert: 1,
        skip_unavailable_shards: 0,
        wait_end_of_query: 1,
      },
    })
    await drained(stream)
  } catch (error) {
    throw storeError(error, { url, database })
  }
}

/**
 * The times of the spans of some traces, which are the times of their rows, too. A condition on them prunes partitions.
 * The lookup has no times that a DateTime does not hold.
 */
const AMONG_SPANS = `(Timestamp > toDateTime64('2106-02-07', 9, 'UTC') OR Timestamp BETWEEN
  (SELECT min(Start) FROM \${database}.otel_traces_trace_id_ts WHERE TraceId IN {traceIds:Array(String)})
  AND (SELECT max(End) + INTERVAL 1 SECOND FROM \${database}.otel_traces_trace_id_ts WHERE TraceId IN {traceIds:Array(String)}))`

/**
 * Reads the keys of the rows that were written for some traces, by trace. `hasSpans` says that the spans of these rows
 * are still stored, so that their times limit where rows are looked for.
 */
export async function readRowKeys(
  target: QueryTarget,
  traceIds: readonly string[],
  { hasSpans }: { readonly hasSpans: boolean },
): Promise<Map<string, RowKey[]>> {
  interface Row extends Pick<RowKey, 'table' | 'traceId' | 'rest'> {
    readonly time: string
  }
  const { database } = target
  const inTime = hasSpans ? fillSql(AMONG_SPANS, { database }) : 'true'
  const sql = querySql('row_keys', { database, in_time: inTime })
  const found = new Map<string, RowKey[]>()
  for (const { time, ...row } of await readRows<Row>(target, sql, { traceIds: [...traceIds] })) {
    const key = { ...row, time: BigInt(time) }
    const keys = found.get(row.traceId)
    if (keys) keys.push(key)
    else found.set(row.traceId, [key])
  }
  return found
}
