import { fillLayout, layOut } from './layout.js'
import { checkClusterName } from '../cluster/hosts.js'
import { readMigrations } from './migrations.js'
import { checkDatabaseName } from '../client/sql-file.js'
import { viewDdl, readViews } from '../views/views.js'

/** The target of the schema's statements. */
export interface SchemaDdlOptions {
  /** @default 'otel' */
  database?: string
  /**
   * The name of a ClickHouse cluster, or a macro such as `{cluster}`.
   * @default none: tables for one server
   */
  cluster?: string
}

/** Returns planspan's schema as SQL for one server, or with Replicated tables for a cluster. */
export function schemaDdl({ database = 'otel', cluster }: SchemaDdlOptions = {}): string {
  checkDatabaseName(database)
  if (cluster !== undefined) checkClusterName(cluster)
  const on = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`
  const layout = cluster === undefined ? { database } : { database, cluster: { name: cluster, isReplicated: true } }
  const tables = layOut(readMigrations(), layout).map((sql) =>
    fillLayout(sql.replace(/((?:IF NOT EXISTS|ALTER TABLE) [\w${}.]+)/, `$1${on}`), layout),
  )
  const views = readViews().map((view) => viewDdl(view, { database, on }))
  const note = cluster === undefined ? '' : CLUSTER_NOTE
  return [`${note}CREATE DATABASE IF NOT EXISTS ${database}${on}`, ...tables, ...views]
    .map((sql) => `${sql};\n`)
    .join('\n')
}

const CLUSTER_NOTE = `-- Insert with distributed_foreground_insert = 1 (insert_distributed_sync before 23.11). Otherwise an acknowledged span may
-- still be in the spool of the server that received it.
`
