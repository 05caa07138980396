import { PlanspanError } from '../error.js'
import { readMigrations } from './migrations.js'
import { checkDatabaseName, fillSql, splitSql } from './sql-file.js'
import { viewDdl } from './views/view-ddl.js'
import { readViews } from './views/views.js'

export interface SchemaDdlOptions {
  /** @default 'otel' */
  database?: string
  /**
   * The name of a ClickHouse cluster, or a macro such as `{cluster}`.
   * @default none: tables for one server
   */
  cluster?: string
}

/**
 * planspan's schema as SQL, to be applied by hand. On a cluster, Replicated tables named `…_local` stand behind
 * Distributed tables with the public names, sharded by trace id: a trace and its lookup rows share a shard, and views
 * stay local.
 */
export function schemaDdl({ database = 'otel', cluster }: SchemaDdlOptions = {}): string {
  checkDatabaseName(database)
  if (cluster !== undefined && !/^(?:[\w.-]+|\{\w+\})$/.test(cluster)) {
    throw new PlanspanError('usage', `${JSON.stringify(cluster)} is no name of a ClickHouse cluster.`)
  }
  const on = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`
  const views = readViews().map((view) => viewDdl(view, { database, on }))
  const statements = readMigrations().flatMap(({ sql }) => splitSql(sql))
  const written =
    cluster === undefined
      ? [`CREATE DATABASE IF NOT EXISTS ${database}`, ...statements.map((sql) => onOneServer(sql, database))]
      : [CLUSTER_NOTE + `CREATE DATABASE IF NOT EXISTS ${database}${on}`, ...onCluster(statements, database, cluster)]
  return [...written, ...views].map((sql) => `${sql};\n`).join('\n')
}

const onOneServer = (sql: string, database: string): string =>
  fillSql(sql, { database, spans: `${database}.otel_traces` })

const CLUSTER_NOTE = `-- Insert with distributed_foreground_insert = 1 (insert_distributed_sync before 23.11), or an acknowledged span may still lie
-- in the spool of the server that took it.
`

const REPLICATED = `Replicated$1MergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')`

/** Local tables first, then the Distributed ones above them, then the views that fill them. */
function onCluster(statements: readonly string[], database: string, cluster: string): string[] {
  const sharded = statements.filter((sql) => /ENGINE = \w*MergeTree/.test(sql))
  const landing = statements.filter((sql) => sql.includes('ENGINE = Null'))
  const views = statements.filter((sql) => sql.includes('CREATE MATERIALIZED VIEW'))
  const on = (sql: string) => sql.replace(/(IF NOT EXISTS [\w${}.]+)/, `$1 ON CLUSTER '${cluster}'`)
  const written = [
    ...sharded.map((sql) => on(toLocal(sql))),
    ...sharded.map((sql) => on(toDistributed(sql, cluster))),
    ...landing.map(on),
    ...views.map((sql) => on(toLocalView(sql, sharded.map(tableOf)))),
  ]
  return written.map((sql) => fillSql(sql, { database, spans: `${database}.otel_traces_local` }))
}

const tableOf = (sql: string): string => /CREATE TABLE IF NOT EXISTS \$\{database\}\.(\w+)/.exec(sql)?.[1] ?? ''

const toLocal = (sql: string): string =>
  sql
    .replace(/(CREATE TABLE IF NOT EXISTS \S+)/, '$1_local')
    .replace(/ENGINE = (\w*)MergeTree/, `ENGINE = ${REPLICATED}`)
    .replace('non_replicated_deduplication_window', 'replicated_deduplication_window')

function toDistributed(sql: string, cluster: string): string {
  const table = tableOf(sql)
  // Rows without a trace id are merged when they are read, on whichever shard they are.
  const shard = sql.includes('TraceId') ? 'cityHash64(TraceId)' : 'rand()'
  return (
    `CREATE TABLE IF NOT EXISTS \${database}.${table} AS \${database}.${table}_local\n` +
    `ENGINE = Distributed('${cluster}', '\${database}', '${table}_local', ${shard})`
  )
}

/** Makes a view local: views over a shard's spans fill its own tables; landing views write to the Distributed table. */
const toLocalView = (sql: string, sharded: readonly string[]): string =>
  sql.replace(/ TO (\$\{database\}\.)(\w+) AS/, (whole, prefix: string, target: string) =>
    sql.includes('${spans}') && sharded.includes(target) ? ` TO ${prefix}${target}_local AS` : whole,
  )
