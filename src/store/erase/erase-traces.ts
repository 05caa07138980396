import { keptTables, ownTable, type Layout } from '../layout.js'
import { readMigrations } from '../migrations.js'
import { readRows, type QueryTarget } from '../query.js'
import { findTables, type FoundTable } from '../tables.js'

/** So many traces are named in one statement. */
const TRACES = 1000

/**
 * Of these tables no row is a trace's. What the journal holds is on its way to the others; operations are compared with
 * what is left; prices are a list's; totals of model calls are sums that tell of nobody, and must not fall; applied
 * versions and the indexer's watermarks belong to the database.
 */
export const UNTRACED = [
  'planspan_migrations',
  'service_operations',
  'model_prices',
  'otlp_journal',
  'index_watermarks',
] as const

/**
 * The lookups that find a trace and its spans come last, so that an erasure that was cut off is found again and
 * finished.
 */
const LAST = ['otel_traces_trace_id_ts', 'plan_keys']

/** What a server's inserts are compared with that may be repeated ones, as the tables are made. */
export const DEDUPLICATION_WINDOW = 10_000

/**
 * Takes traces out of all tables that a server holds itself, and answers when their parts are written anew. Throws the
 * client's errors.
 */
export async function eraseTraces(target: QueryTarget, layout: Layout, traceIds: readonly string[]): Promise<void> {
  const { client, database } = target
  const kept = keptTables(readMigrations())
  const own = (table: string) => ownTable(layout, table)
  const found = await findTables(
    client,
    database,
    kept.map(({ table }) => own(table)),
  )
  const traced = kept.filter(({ isOfTraces }) => isOfTraces).map(({ table }) => table)
  const mutate = async (table: string, where: string, params: Readonly<Record<string, unknown>> = {}) => {
    if (!found.some(({ name }) => name === own(table))) return
    // ClickHouse makes every part of a table anew, by links where nothing changes, however few of them hold any row.
    const held = `SELECT 1 FROM ${database}.${own(table)} WHERE ${where} LIMIT 1`
    if ((await readRows(target, held, params)).length === 0) return
    await client.command({
      query: `ALTER TABLE ${database}.${own(table)} DELETE WHERE ${where}`,
      query_params: params,
      clickhouse_settings: { mutations_sync: '2', allow_nondeterministic_mutations: 1 },
    })
  }
  const erase = async (table: string) => {
    for (let at = 0; at < traceIds.length; at += TRACES) {
      await mutate(table, 'TraceId IN {traceIds:Array(String)}', { traceIds: traceIds.slice(at, at + TRACES) })
    }
  }
  await Promise.all(traced.filter((table) => !LAST.includes(table)).map(erase))
  await mutate('service_operations', unused(`${database}.${own('otel_traces')}`))
  const comparing = new Set(kept.flatMap(({ table, comparesInserts }) => (comparesInserts ? [own(table)] : [])))
  for (const table of found) if (comparing.has(table.name)) await forgetInserts(target, table)
  for (const table of LAST) await erase(table)
}

/** What no span is called any more. */
const unused = (spans: string): string => {
  const names = '(ServiceName, SpanName, SpanKind)'
  return `${names} NOT IN (SELECT ${names.slice(1, -1)} FROM ${spans})`
}

/**
 * Lets a table forget which inserts it has had: the same plan sent again would be taken for one that comes twice. What
 * replicas share in Keeper can't be forgotten so.
 */
async function forgetInserts({ client, database }: QueryTarget, { name, engine }: FoundTable) {
  if (engine.startsWith('Replicated')) return
  for (const inserts of [0, DEDUPLICATION_WINDOW]) {
    await client.command({
      query: `ALTER TABLE ${database}.${name} MODIFY SETTING non_replicated_deduplication_window = ${String(inserts)}`,
    })
  }
}
