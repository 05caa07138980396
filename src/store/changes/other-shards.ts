import { PlanspanError } from '../../error.js'
import { querySql, type QueryTarget, readRows } from '../query.js'

/** Asks whether all shards of a cluster answer. Returns the failure of one that does not; throws others. */
export async function findShardFailure(target: QueryTarget): Promise<PlanspanError | undefined> {
  try {
    await readRows(target, `SELECT count() FROM ${target.database}.superseded_imports`)
    return undefined
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'store_unreachable') return error
    throw error
  }
}

/** Returns those of some traces that have spans on several shards, as after a shard was added. */
export async function findSpreadTraces(target: QueryTarget, traceIds: readonly string[]): Promise<Set<string>> {
  if (traceIds.length === 0) return new Set()
  const sql = querySql('spread_traces', { database: target.database })
  const rows = await readRows<{ traceId: string }>(target, sql, { traceIds: [...traceIds] })
  return new Set(rows.map(({ traceId }) => traceId))
}
