import { type QueryTarget, readRows, querySql } from '../client/query.js'
import { PlanspanError } from '../../error.js'

/** A span table of one server whose parts the indexer reads. */
export interface SpanSource {
  readonly table: string
  /** The UUID of the table: block numbers of another table mean nothing. */
  readonly id: string
  /** Whether other servers hold spans of the same database. */
  readonly isSharded: boolean
}

/** Finds a server's own span table; on a cluster the local table below the Distributed one. */
export async function findSpanSource(target: QueryTarget): Promise<SpanSource | undefined> {
  const found = await readRows<{ name: string; engine: string; id: string }>(
    target,
    `SELECT name, engine, toString(uuid) AS id FROM system.tables
     WHERE database = {database:String} AND name IN ('otel_traces', 'otel_traces_local')`,
    { database: target.database },
  )
  const own = found.find(({ engine }) => engine.endsWith('MergeTree'))
  return own && { table: own.name, id: own.id, isSharded: found.some(({ engine }) => engine === 'Distributed') }
}

/** Checks whether all shards of a cluster answer. Returns the failure of a shard; throws other errors. */
export async function findShardFailure(target: QueryTarget): Promise<PlanspanError | undefined> {
  try {
    await readRows(target, `SELECT count() FROM ${target.database}.superseded_imports`)
    return undefined
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'store_unreachable') return error
    throw error
  }
}

/** Returns the traces that have spans on several shards, as after a shard was added. */
export async function findSpreadTraces(target: QueryTarget, traceIds: readonly string[]): Promise<Set<string>> {
  if (traceIds.length === 0) return new Set()
  const sql = querySql('spread_traces', { database: target.database })
  const rows = await readRows<{ traceId: string }>(target, sql, { traceIds: [...traceIds] })
  return new Set(rows.map(({ traceId }) => traceId))
}
