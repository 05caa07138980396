import type { Migration } from './migrations.js'
import { fillSql, splitSql } from '../client/sql-file.js'

/**
 * The layout of a database's tables. On one server the tables have their own names. On each host of a cluster, these
 * are Distributed tables over tables named `…_local`, sharded by trace id: a trace and its lookup rows share a shard,
 * and views over a shard's spans fill the shard's own tables.
 */
export interface Layout {
  readonly database: string
  /** @default none: one server */
  readonly cluster?: {
    readonly name: string
    /** Whether a shard's hosts replicate its tables. */
    readonly isReplicated: boolean
  }
}

/** The name of the table that contains a server's own rows of `table`. */
export const ownTable = ({ cluster }: Layout, table: string): string =>
  cluster === undefined ? table : `${table}_local`

/** The tables from which views fill others, by the placeholder of the views. */
const SOURCES = { spans: 'otel_traces', logs: 'otel_logs' } as const

/** Fills in the database and the server's own tables of spans and logs. */
export function fillLayout(sql: string, layout: Layout): string {
  const { database } = layout
  const own = Object.entries(SOURCES).map(([name, table]) => [name, `${database}.${ownTable(layout, table)}`])
  return fillSql(sql, { database, ...Object.fromEntries(own) })
}

/**
 * Returns the statements of migrations in the order in which they can run, with their placeholders. For a cluster these
 * create tables and views and add columns; the other ALTERs concern a collector's table on one server.
 */
export function layOut(migrations: readonly Migration[], { cluster }: Layout): string[] {
  const statements = migrations.flatMap(({ sql }) => splitSql(sql))
  if (cluster === undefined) return statements
  const having = (part: RegExp) => statements.filter((sql) => part.test(sql))
  const unsharded = having(UNSHARDED)
  const sharded = having(/ENGINE = \w*MergeTree/).filter((sql) => !unsharded.includes(sql))
  const added = having(/ADD COLUMN/)
  const isSharded = new Set(sharded.map(tableOf))
  return [
    ...unsharded,
    ...sharded.map((sql) => toLocal(sql, cluster.isReplicated)),
    ...added.map((sql) => sql.replace(/(ALTER TABLE \S+)/, '$1_local')),
    ...sharded.map((sql) => toDistributed(sql, cluster.name)),
    ...added,
    ...having(/^(?:--.*\n)*CREATE MATERIALIZED VIEW/).map((sql) => toLocalView(sql, isSharded)),
  ]
}

/** The names of the tables and materialized views that migrations create. */
export const madeBy = (migrations: readonly Migration[], layout: Layout): string[] =>
  layOut(migrations, layout).flatMap((sql) => MADE.exec(sql)?.[1] ?? [])

/** A table that stores rows. */
export interface KeptTable {
  readonly table: string
  /** Whether each row belongs to a trace. */
  readonly isOfTraces: boolean
  /** Whether ClickHouse deduplicates inserts into the table on one server. */
  readonly comparesInserts: boolean
}

/** The tables of migrations that store rows. */
export const keptTables = (migrations: readonly Migration[]): KeptTable[] =>
  migrations
    .flatMap(({ sql }) => splitSql(sql))
    .filter((sql) => tableOf(sql) !== '' && /^\) ENGINE = \w*MergeTree/m.test(sql))
    .map((sql) => ({
      table: tableOf(sql),
      isOfTraces: /^ *TraceId String/m.test(sql),
      comparesInserts: /non_replicated_deduplication_window = [1-9]/.test(sql),
    }))

/** The tables of requests, of applied versions and of the indexer's positions: each server keeps its own. */
const UNSHARDED = /CREATE TABLE IF NOT EXISTS \$\{database\}\.(?:otlp_|planspan_|index_watermarks)/

const MADE = /^CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS \$\{database\}\.(\w+)/m

/** A materialized view that fills a table from the spans or the logs. */
export interface FillingView {
  /** The placeholder of the table that it reads. */
  readonly source: keyof typeof SOURCES
  /** That table. */
  readonly from: string
  readonly view: string
  readonly target: string
  readonly select: string
}

/** Parses a statement that creates a filling view; undefined for other statements. */
export function fillingView(statement: string): FillingView | undefined {
  const [, view, target, select] = VIEW.exec(statement) ?? []
  const source = (['spans', 'logs'] as const).find((name) => select?.includes(`\${${name}}`))
  if (view === undefined || target === undefined || select === undefined || !source) return undefined
  return { source, from: SOURCES[source], view, target, select }
}

const VIEW =
  /^(?:--.*\n)*CREATE MATERIALIZED VIEW IF NOT EXISTS \$\{database\}\.(\w+) TO \$\{database\}\.(\w+) AS\n([\s\S]+)$/

const tableOf = (sql: string): string => /CREATE TABLE IF NOT EXISTS \$\{database\}\.(\w+)/.exec(sql)?.[1] ?? ''

function toLocal(sql: string, isReplicated: boolean): string {
  const local = sql.replace(/(CREATE TABLE IF NOT EXISTS \S+)/, '$1_local')
  if (!isReplicated) return local
  const path = "'/clickhouse/tables/{shard}/{database}/{table}'"
  return local
    .replace(
      /ENGINE = (\w*)MergeTree(?:\(([\w, ]+)\))?/,
      (_, kind: string, version?: string) =>
        `ENGINE = Replicated${kind}MergeTree(${[path, "'{replica}'", ...(version === undefined ? [] : [version])].join(', ')})`,
    )
    .replace('non_replicated_deduplication_window', 'replicated_deduplication_window')
}

function toDistributed(sql: string, cluster: string): string {
  const table = tableOf(sql)
  // Rows without a trace id are read from whichever shard they are on.
  const shard = !sql.includes('TraceId')
    ? 'rand()'
    : table === SOURCES.logs
      ? "if(TraceId = '', rand(), cityHash64(TraceId))"
      : 'cityHash64(TraceId)'
  return (
    `CREATE TABLE IF NOT EXISTS \${database}.${table} AS \${database}.${table}_local\n` +
    `ENGINE = Distributed('${cluster}', '\${database}', '${table}_local', ${shard})`
  )
}

/**
 * Makes a view local: views over a shard's spans fill its own tables. Landing views, and views whose rows belong to
 * other traces than the rows that they read, write to the Distributed table.
 */
const toLocalView = (sql: string, sharded: ReadonlySet<string>): string =>
  sql.replace(/ TO (\$\{database\}\.)(\w+) AS/, (whole, prefix: string, target: string) =>
    fillingView(sql) && sharded.has(target) && !/\) AS TraceId,/.test(sql) ? ` TO ${prefix}${target}_local AS` : whole,
  )
