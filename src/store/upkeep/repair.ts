import { tracesSince } from '../changes/index.js'
import type { QueryTarget } from '../client/query.js'
import { storeError } from '../client/store-error.js'
import { INDEX_TABLES } from '../row-tables/index.js'
import { refillTables } from '../schema/migrate-tables.js'
import type { BrokenPart } from './damage.js'

/** The lookups that views fill from the spans. */
const LOOKUPS: ReadonlySet<string> = new Set(['plan_keys', 'otel_traces_trace_id_ts'])
const ROWS: ReadonlySet<string> = new Set(INDEX_TABLES)

/** Whether planspan can write the rows of a table again from the spans. */
export const isDerived = ({ table }: Pick<BrokenPart, 'table'>): boolean => LOOKUPS.has(table) || ROWS.has(table)

export interface Repair {
  /** The traces to index again, in batches. */
  traces(): AsyncGenerator<string[], void, undefined>
  /** Drops the set-aside parts whose rows were written again. */
  done(): Promise<void>
}

/** Fills lookups from the spans again. Throws `clickhouse_failed`, `store_unreachable`, `disk_full`. */
export async function repair(target: QueryTarget, parts: readonly BrokenPart[]): Promise<Repair> {
  const { client, database } = target
  const derived = parts.filter(isDerived)
  const lookups = new Set(derived.map(({ table }) => table).filter((table) => LOOKUPS.has(table)))
  try {
    if (lookups.size > 0) await refillTables(client, { database }, lookups)
  } catch (error) {
    throw storeError(error, target)
  }
  const since = derived.filter(({ table }) => ROWS.has(table)).map(({ partition }) => beginOf(partition))
  return {
    async *traces() {
      if (since.length > 0)
        yield* tracesSince(
          target,
          since.reduce((first, time) => Math.min(first, time)),
        )
    },
    async done() {
      for (const { table, part } of derived) {
        await client
          .command({
            query: `ALTER TABLE ${database}.${table} DROP DETACHED PART {part:String} SETTINGS allow_drop_detached = 1`,
            query_params: { part },
          })
          .catch(() => {})
      }
    },
  }
}

/** The start of a partition by day, week or month, Unix seconds; 0 for other partitions. */
function beginOf(partition: string): number {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(partition) ?? []
  return year === undefined ? 0 : Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000
}
