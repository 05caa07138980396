import { inAgentTraces } from '../schema/agent-logs.js'
import { keptTables, ownTable, type Layout } from '../schema/layout.js'
import { readMigrations } from '../schema/migrations.js'
import { readRows, type QueryTarget } from '../client/query.js'
import { findTables, type FoundTable } from '../schema/tables.js'

/** The number of traces per statement. */
const TRACES = 1000

/**
 * The tables whose rows belong to no trace. Requests in the journal are stored in the other tables first, operations
 * are compared with the remaining spans, and prices, applied versions and watermarks do not depend on plans.
 */
export const UNTRACED = [
  'planspan_migrations',
  'service_operations',
  'model_prices',
  'otlp_journal',
  'index_watermarks',
] as const

/**
 * The lookups that find a trace and its spans. They are erased last, so that an interrupted erasure can be repeated.
 */
const LAST = ['otel_traces_trace_id_ts', 'plan_keys']

/** The deduplication window with which the tables are created. */
export const DEDUPLICATION_WINDOW = 10_000

/**
 * Deletes the spans of traces from a server's own table, and resolves when its parts are rewritten.
 * Throws the client's errors.
 */
export async function eraseSpans(target: QueryTarget, layout: Layout, traceIds: readonly string[]): Promise<void> {
  const own = ownTable(layout, 'otel_traces')
  const found = await findTables(target.client, target.database, [own])
  for (const { name } of found) await eraseFrom(target, name, traceIds)
}

/** Deletes the rows of traces from all other tables, after their spans. Resolves and throws as `eraseSpans` does. */
export async function eraseRest(target: QueryTarget, layout: Layout, traceIds: readonly string[]): Promise<void> {
  const { client, database } = target
  const kept = keptTables(readMigrations())
  const own = (table: string) => ownTable(layout, table)
  const found = await findTables(
    client,
    database,
    kept.map(({ table }) => own(table)),
  )
  const isFound = (table: string) => found.some(({ name }) => name === own(table))
  const traced = kept.filter(({ table, isOfTraces }) => isOfTraces && isFound(table)).map(({ table }) => table)
  const erase = (table: string) => eraseFrom(target, own(table), traceIds)
  await Promise.all(traced.filter((table) => !LAST.includes(table)).map(erase))
  if (isFound('service_operations')) {
    await deleteRows(target, own('service_operations'), unused(`${database}.${own('otel_traces')}`))
  }
  const comparing = new Set(kept.flatMap(({ table, comparesInserts }) => (comparesInserts ? [own(table)] : [])))
  for (const table of found) if (comparing.has(table.name)) await forgetInserts(target, table)
  for (const table of LAST) if (isFound(table)) await erase(table)
}

async function eraseFrom(target: QueryTarget, table: string, traceIds: readonly string[]): Promise<void> {
  for (let at = 0; at < traceIds.length; at += TRACES) {
    const some = { traceIds: traceIds.slice(at, at + TRACES) }
    const ids = '{traceIds:Array(String)}'
    const ofAgents = table.startsWith('otel_logs') ? ` OR ${inAgentTraces(ids)}` : ''
    await deleteRows(target, table, `TraceId IN ${ids}${ofAgents}`, some)
  }
}

async function deleteRows(
  target: QueryTarget,
  table: string,
  where: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { client, database } = target
  // A mutation rewrites or links every part of a table, even if no part contains a matching row.
  const held = `SELECT 1 FROM ${database}.${table} WHERE ${where} LIMIT 1`
  if ((await readRows(target, held, params)).length === 0) return
  await client.command({
    query: `ALTER TABLE ${database}.${table} DELETE WHERE ${where}`,
    query_params: params,
    clickhouse_settings: { mutations_sync: '2', allow_nondeterministic_mutations: 1 },
  })
}

/** Returns the condition that selects operations without a stored span. */
const unused = (spans: string): string => {
  const names = '(ServiceName, SpanName, SpanKind)'
  return `${names} NOT IN (SELECT ${names.slice(1, -1)} FROM ${spans})`
}

/**
 * Clears the deduplication window of a table: the same plan sent again would be dropped as a repeated insert. The
 * window that replicas share in Keeper cannot be cleared.
 */
async function forgetInserts({ client, database }: QueryTarget, { name, engine }: FoundTable) {
  if (engine.startsWith('Replicated')) return
  for (const inserts of [0, DEDUPLICATION_WINDOW]) {
    await client.command({
      query: `ALTER TABLE ${database}.${name} MODIFY SETTING non_replicated_deduplication_window = ${String(inserts)}`,
    })
  }
}
