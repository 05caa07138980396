import { type ChangedColumn, readSpanColumns } from './span-columns.js'
import { madeBy } from '../schema/layout.js'
import { readMigrations } from '../schema/migrations.js'
import type { QueryTarget } from '../client/query.js'
import { findTables } from '../schema/tables.js'
import { spanEngine } from '../views/apply-views.js'
import { definitionMark } from '../views/view-ddl.js'
import { readViews } from '../views/views.js'

/** The differences between a database and this planspan's schema. */
export interface SchemaDrift {
  /** Missing tables and materialized views. */
  readonly missingTables: readonly string[]
  readonly missingViews: readonly string[]
  /** Views whose definition was changed. */
  readonly changedViews: readonly string[]
  /** Missing columns of the span table. */
  readonly missingColumns: readonly string[]
  /** Columns of the span table with another type or expression. */
  readonly changedColumns: readonly ChangedColumn[]
}

/** Compares the tables of one server; `migrateCluster` compares the hosts of a cluster. */
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
