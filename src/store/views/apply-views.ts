import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { findTables, type FoundTable } from '../schema/tables.js'
import { definitionMark, viewDdl, readViews, type View } from './views.js'
import type { SpanEngine } from './call-rows.js'

/** Throws `schema_mismatch` if a name of a view is taken by something else. Called before anything is created. */
export async function checkViewNames(client: ClickHouseClient, database: string): Promise<void> {
  await findViews(client, database, readViews())
}

/**
 * Creates the views, and replaces views whose definition has changed. Views contain no data, so they need no versions.
 * Throws `schema_mismatch` as `checkViewNames` does.
 */
export async function applyViews(client: ClickHouseClient, database: string, engine?: SpanEngine): Promise<void> {
  const views = readViews(engine ?? (await spanEngine(client, database)))
  const found = await findViews(client, database, views)
  for (const view of views) {
    const comment = found.get(view.name)?.comment
    if (comment?.endsWith(definitionMark(view)) === true) continue
    await client.command({ query: viewDdl(view, { database }) })
  }
}

/** Whether the span table replaces a span's earlier rows. A table that a collector made does not. */
export async function spanEngine(
  client: ClickHouseClient,
  database: string,
  name = 'otel_traces',
): Promise<SpanEngine> {
  const [table] = await findTables(client, database, [name])
  return table?.engine.endsWith('ReplacingMergeTree') === true ? 'replacing' : 'plain'
}

async function findViews(
  client: ClickHouseClient,
  database: string,
  views: readonly View[],
): Promise<Map<string, FoundTable>> {
  const tables = await findTables(
    client,
    database,
    views.map(({ name }) => name),
  )
  const foreign = tables.find(({ engine, comment }) => engine !== 'View' || !comment.includes('[planspan '))
  if (foreign) {
    throw new PlanspanError(
      'schema_mismatch',
      `${database}.${foreign.name} is not a view of planspan, which needs this name for a view. ` +
        'Rename it, or give planspan another database with --database.',
    )
  }
  return new Map(tables.map((table) => [table.name, table]))
}
