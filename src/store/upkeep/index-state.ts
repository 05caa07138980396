import { PlanspanError } from '../../error.js'
import { findFreshParts, findSpanSource, freshRowsOf, readPositions } from '../changes/index.js'
import { type QueryTarget, readRows } from '../client/query.js'

/** The lag of the indexed rows of a database behind its spans. */
export interface IndexState {
  /** The approximate number of rows of the span table that are not indexed. */
  readonly pendingRows: number
  /** The age of the oldest part of the span table that is not indexed, seconds; 0 without any. */
  readonly lagSeconds: number
  /** Traces that the mapping could not read as a whole. */
  readonly failedTraces: number
  /** The latest failures. */
  readonly failures: readonly { readonly traceId: string; readonly reason: string }[]
}

const SHOWN_FAILURES = 3

/** Reads how far a database is indexed; undefined where tables of the indexer are missing. */
export async function readIndexState(target: QueryTarget): Promise<IndexState | undefined> {
  try {
    const source = await findSpanSource(target)
    if (!source) return undefined
    const parts = await findFreshParts(target, source, await readPositions(target, source))
    const oldest = parts.reduce((least, { modified }) => Math.min(least, modified), Number.POSITIVE_INFINITY)
    const failures = await readRows<{ traceId: string; reason: string; failed: number | string }>(
      target,
      `SELECT TraceId AS traceId, Reason AS reason, count() OVER () AS failed
       FROM ${target.database}.index_failures FINAL ORDER BY FailedAt DESC, traceId LIMIT ${String(SHOWN_FAILURES)}`,
    )
    return {
      pendingRows: freshRowsOf(parts),
      lagSeconds: parts.length === 0 ? 0 : Math.max(0, Math.round(Date.now() / 1000 - oldest)),
      failedTraces: Number(failures[0]?.failed ?? 0),
      failures: failures.map(({ traceId, reason }) => ({ traceId, reason })),
    }
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'schema_mismatch') return undefined
    throw error
  }
}
