import { type ChangedColumn, readSpanColumns } from './span-columns.js'
import { madeBy } from '../schema/layout.js'
import { readMigrations } from '../schema/migrations.js'
import type { QueryTarget } from '../client/query.js'
import { findTables } from '../schema/tables.js'
import { spanEngine } from '../views/apply-views.js'
import { definitionMark } from '../views/view-ddl.js'
import { readViews } from '../views/views.js'

/** How a database differs from what this planspan makes. */
export interface SchemaDrift {
  /** Tables, and the materialized views that fill them, that are not there. */
  readonly missingTables: readonly string[]
  readonly missingViews: readonly string[]
  /** Views that somebody else has made. */
  readonly changedViews: readonly string[]
  /** Columns of the span table that are not there. */
  readonly missingColumns: readonly string[]
  /** Those whose type, or what they are computed from, is another one. */
  readonly changedColumns: readonly ChangedColumn[]
}

/** Compares one server's tables; of a cluster's, `migrateCluster` knows. */
export async function readSchemaDrift({ client, database }: QueryTarget): Promise<SchemaDrift> {
  const tables = madeBy(readMigrations(), { database })
  const views = readViews(await spanEngine(client, database))
  const names = [...tables, ...views.map(({ name }) => name)]
  const [rows, columns] = await Promise.all([findTables(client, database, names), readSpanColumns(client, database)])
  const found = new Map(rows.map((table) => [table.name, table]))
  return {
    missingTables: tables.filter((name) => !found.has(name)),
    missingViews: views.map(({ name }) => name).filter((name) => !found.has(name)),
    changedViews: views
      .filter((view) => found.get(view.name)?.comment.endsWith(definitionMark(view)) === false)
      .map(({ name }) => name),
    missingColumns: columns.missing,
    changedColumns: columns.changed,
  }
}
