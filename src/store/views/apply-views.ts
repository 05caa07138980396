import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { definitionMark, viewDdl } from './view-ddl.js'
import type { SpanEngine } from './span-rows.js'
import { readViews } from './views.js'

interface Found {
  name: string
  engine: string
  comment: string
}

/**
 * Makes the views, and puts those whose definition has changed in the place of the old ones. They hold no data, so that
 * they need no history as tables do. Throws `schema_mismatch` for a table or view of that name that is not planspan's.
 */
export async function applyViews(client: ClickHouseClient, database: string, engine?: SpanEngine): Promise<void> {
  const views = readViews(engine ?? (await spanEngine(client, database)))
  const found = await findTables(
    client,
    database,
    views.map(({ name }) => name),
  )
  for (const view of views) {
    const comment = found.get(view.name)?.comment
    if (comment?.endsWith(definitionMark(view)) === true) continue
    await client.command({ query: viewDdl(view, { database }) })
  }
}

/** Whether the span table replaces a span's earlier rows, which `--reorder` makes it do. */
export async function spanEngine(
  client: ClickHouseClient,
  database: string,
  name = 'otel_traces',
): Promise<SpanEngine> {
  const rows = await client.query({
    query: 'SELECT engine FROM system.tables WHERE database = {database:String} AND name = {name:String}',
    query_params: { database, name },
    format: 'JSONEachRow',
  })
  const [table] = await rows.json<{ engine: string }>()
  return table?.engine.endsWith('ReplacingMergeTree') === true ? 'replacing' : 'plain'
}

async function findTables(
  client: ClickHouseClient,
  database: string,
  names: readonly string[],
): Promise<Map<string, Found>> {
  const rows = await client.query({
    query: `SELECT name, engine, comment FROM system.tables
            WHERE database = {database:String} AND name IN {names:Array(String)}`,
    query_params: { database, names: [...names] },
    format: 'JSONEachRow',
  })
  const tables = await rows.json<Found>()
  const foreign = tables.find(({ engine, comment }) => engine !== 'View' || !comment.includes('[planspan '))
  if (foreign) {
    throw new PlanspanError(
      'schema_mismatch',
      `${database}.${foreign.name} is no view of planspan's, and planspan has a view of that name. ` +
        'Rename it, or give planspan another database with --database.',
    )
  }
  return new Map(tables.map((table) => [table.name, table]))
}
