import { findTables } from '../tables.js'
import type { QueryTarget } from '../query.js'
import { readRows } from '../query.js'

/** A span table of one server whose parts the indexer reads. */
export interface SpanSource {
  readonly table: string
  /** The UUID of the table: block numbers of another table mean nothing. */
  readonly id: string
}

/** Finds the span table that a server keeps itself: below a Distributed table the local one. */
export async function findSpanSource(target: QueryTarget): Promise<SpanSource | undefined> {
  const { client, database } = target
  const found = await findTables(client, database, ['otel_traces', 'otel_traces_local'])
  const own = found.find(({ engine }) => engine.endsWith('MergeTree'))
  if (!own) return undefined
  const [row] = await readRows<{ id: string }>(
    target,
    'SELECT toString(uuid) AS id FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { database, table: own.name },
  )
  return { table: own.name, id: row?.id ?? '' }
}
