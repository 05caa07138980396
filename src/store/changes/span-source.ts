import type { QueryTarget } from '../query.js'
import { readRows } from '../query.js'

/** A span table of one server whose parts the indexer reads. */
export interface SpanSource {
  readonly table: string
  /** The UUID of the table: block numbers of another table mean nothing. */
  readonly id: string
  /** Whether other servers hold spans of the same database. */
  readonly isSharded: boolean
}

/** Finds the span table that a server keeps itself: below a Distributed table the local one. */
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
