import { storeError } from '../client/store-error.js'
import { querySql, type QueryTarget, readRows } from '../client/query.js'
import type { SpanSource } from './span-source.js'

/** A part of the span table with rows that were not indexed. */
export interface FreshPart {
  readonly name: string
  readonly partition: string
  readonly minBlock: number
  readonly maxBlock: number
  /** All rows of the part. */
  readonly rows: number
  /** The write time of the part, Unix seconds. */
  readonly modified: number
  /** The last block of the partition that this indexer has indexed; 0 before the first. */
  readonly indexed: number
  /** The last block of the partition that any indexer has recorded as indexed; 0 before the first. */
  readonly noted: number
}

/** The last block that was indexed of each partition. */
export type Positions = ReadonlyMap<string, number>

/** Finds the parts with rows after some positions, in the order of their blocks. */
export async function findFreshParts(
  target: QueryTarget,
  { table, id }: SpanSource,
  positions: Positions,
): Promise<FreshPart[]> {
  interface Row {
    readonly partition: string
    readonly name: string
    readonly minBlock: number | string
    readonly maxBlock: number | string
    readonly rowCount: number | string
    readonly modified: number | string
    readonly noted: number | string
  }
  const { database } = target
  const rows = await readRows<Row>(target, querySql('fresh_parts', { database }), {
    database,
    table,
    source: id,
    partitions: [...positions.keys()],
    blocks: [...positions.values()],
  })
  return rows.map(({ name, partition, minBlock, maxBlock, rowCount, modified, noted }) => ({
    name,
    partition,
    minBlock: Number(minBlock),
    maxBlock: Number(maxBlock),
    rows: Number(rowCount),
    modified: Number(modified),
    indexed: positions.get(partition) ?? 0,
    noted: Number(noted),
  }))
}

/** Estimates the number of unindexed rows; the blocks of a partly indexed part count as equally large. */
export const freshRowsOf = (parts: readonly FreshPart[]): number =>
  parts.reduce((sum, { rows, minBlock, maxBlock, indexed }) => {
    const blocks = maxBlock - minBlock + 1
    return sum + Math.ceil(rows * Math.min(1, (maxBlock - indexed) / blocks))
  }, 0)

/** Returns the traces that have rows in blocks up to a number. */
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
  target: QueryTarget,
  { id }: Pick<SpanSource, 'id'>,
  blocks: Positions,
): Promise<void> {
  if (blocks.size === 0) return
  const { client, database } = target
  try {
    await client.insert({
      table: `${database}.index_watermarks`,
      values: [...blocks].map(([Partition, Block]) => ({ Source: id, Partition, Block })),
      format: 'JSONEachRow',
      clickhouse_settings: { async_insert: 0 },
    })
  } catch (error) {
    throw storeError(error, target)
  }
}

/** Reads the last block that was indexed of each partition of a span table. */
export async function readPositions(target: QueryTarget, { id }: Pick<SpanSource, 'id'>): Promise<Map<string, number>> {
  const rows = await readRows<{ partition: string; block: number | string }>(
    target,
    `SELECT Partition AS partition, max(Block) AS block
     FROM ${target.database}.index_watermarks
     WHERE Source = {source:String}
     GROUP BY partition`,
    { source: id },
  )
  return new Map(rows.map(({ partition, block }) => [partition, Number(block)]))
}

/** Returns the parts that have not been merged or removed. */
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
