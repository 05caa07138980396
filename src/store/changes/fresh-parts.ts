import { querySql, type QueryTarget, readRows } from '../query.js'
import type { SpanSource } from './span-source.js'

/** A part of the span table with rows that were not indexed. */
export interface FreshPart {
  readonly name: string
  readonly partition: string
  readonly minBlock: number
  readonly maxBlock: number
  /** All rows of the part. */
  readonly rows: number
  /** When the part was written, Unix seconds. */
  readonly modified: number
  /** The last block of the partition that was indexed; 0 for none. */
  readonly indexed: number
}

type Row = { readonly [Name in keyof FreshPart]: FreshPart[Name] extends number ? number | string : string }

/** Finds the parts with rows that were not indexed, in the order of their blocks. */
export async function findFreshParts(target: QueryTarget, { table, id }: SpanSource): Promise<FreshPart[]> {
  const { database } = target
  const rows = await readRows<Row>(target, querySql('fresh_parts', { database }), { database, table, source: id })
  return rows.map(({ name, partition, ...numbers }) => ({
    name,
    partition,
    minBlock: Number(numbers.minBlock),
    maxBlock: Number(numbers.maxBlock),
    rows: Number(numbers.rows),
    modified: Number(numbers.modified),
    indexed: Number(numbers.indexed),
  }))
}

/** Returns those of some traces that have rows in blocks up to a number. */
export async function findKnownTraces(
  target: QueryTarget,
  { table }: SpanSource,
  { traceIds, block }: { readonly traceIds: readonly string[]; readonly block: number },
): Promise<Set<string>> {
  const { database } = target
  const sql = querySql('known_traces', { database, spans: `${database}.${table}` })
  const rows = await readRows<{ traceId: string }>(target, sql, { traceIds: [...traceIds], block: String(block) })
  return new Set(rows.map(({ traceId }) => traceId))
}

/** Notes the last block of each partition that was indexed. */
export async function noteIndexed(
  { client, database }: QueryTarget,
  { id }: SpanSource,
  blocks: ReadonlyMap<string, number>,
): Promise<void> {
  if (blocks.size === 0) return
  await client.insert({
    table: `${database}.index_watermarks`,
    values: [...blocks].map(([Partition, Block]) => ({ Source: id, Partition, Block })),
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}

/** Returns the last block that was indexed of a span table; 0 for none. */
export async function lastIndexed(target: QueryTarget, { id }: SpanSource): Promise<number> {
  const [row] = await readRows<{ block: number | string }>(
    target,
    `SELECT max(Block) AS block FROM ${target.database}.index_watermarks WHERE Source = {source:String}`,
    { source: id },
  )
  return Number(row?.block ?? 0)
}

/** Returns those of some parts that have not been merged or removed. */
export async function areActive(
  target: QueryTarget,
  { table }: SpanSource,
  parts: readonly string[],
): Promise<Set<string>> {
  const { database } = target
  const rows = await readRows<{ name: string }>(
    target,
    `SELECT name FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND active AND name IN {parts:Array(String)}`,
    { database, table, parts: [...parts] },
  )
  return new Set(rows.map(({ name }) => name))
}

/** Returns the traces with a plan that calls one of some models. */
export async function findTracesOfModels(target: QueryTarget, models: readonly string[]): Promise<string[]> {
  const rows = await readRows<{ traceId: string }>(
    target,
    `SELECT DISTINCT TraceId AS traceId FROM ${target.database}.plan_rows FINAL WHERE hasAny(Models, {models:Array(String)})`,
    { models: [...models] },
  )
  return rows.map(({ traceId }) => traceId)
}
