import { tracesSince } from '../changes/index.js'
import type { QueryTarget } from '../client/query.js'
import { storeError } from '../client/store-error.js'
import { refillTables } from '../schema/migrate-tables.js'
import { type BrokenPart, DERIVED_ROWS, isDerived, LOOKUPS } from './damage.js'

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
  const since = derived.filter(({ table }) => DERIVED_ROWS.has(table)).map(({ partition }) => beginOf(partition))
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
