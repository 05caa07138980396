import type { Migration } from './migrations.js'
import { fillSql, splitSql } from './sql-file.js'

/**
 * Where the tables of a database stand. On one server they have their own names. On each host of a cluster, tables
 * named `…_local` stand behind Distributed ones with those names, sharded by trace id: a trace and its lookup rows
 * share a shard, and views over spans fill the tables beside them.
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

/** A table that is made anew from the spans, and the views that fill it. */
export interface Lookup {
  readonly table: string
  readonly views: readonly string[]
}

/** The name of the table in which a server keeps the rows of `table` that it holds itself. */
export const ownTable = ({ cluster }: Layout, table: string): string =>
  cluster === undefined ? table : `${table}_local`

/** The tables that views read row by row as they are filled, and what stands for them in the files. */
export const SOURCES = { spans: 'otel_traces', foreign_spans: 'foreign_spans' } as const

/** Fills in the database, and the tables of spans that a server holds itself. */
export function fillLayout(sql: string, layout: Layout): string {
  const { database } = layout
  const own = Object.entries(SOURCES).map(([name, table]) => [name, `${database}.${ownTable(layout, table)}`])
  return fillSql(sql, { database, ...(Object.fromEntries(own) as Record<string, string>) })
}

/** Whether a view reads one of them. */
const readsSource = (sql: string): boolean => Object.keys(SOURCES).some((name) => sql.includes(`\${${name}}`))

/** The statements of migrations in the order in which they can be made, with their placeholders left open. */
export function layOut(migrations: readonly Migration[], { cluster }: Layout): string[] {
  const statements = migrations.flatMap((migration) => marked(migration))
  if (cluster === undefined) return statements.map(({ sql }) => sql)
  const having = (part: RegExp) => statements.filter(({ sql }) => part.test(sql))
  const landing = having(LANDING)
  const sharded = having(/ENGINE = \w*MergeTree/).filter((statement) => !landing.includes(statement))
  const added = having(/ADD COLUMN/)
  const isSharded = new Set(sharded.map(({ sql }) => tableOf(sql)))
  return [
    ...sharded.map((statement) => toLocal(statement, cluster.isReplicated)),
    ...added.map(({ sql }) => sql.replace(/(ALTER TABLE \S+)/, '$1_local')),
    ...sharded.map(({ sql }) => toDistributed(sql, cluster.name)),
    ...added.map(({ sql }) => sql),
    ...landing.map(({ sql }) => sql),
    ...having(/^(?:--.*\n)*CREATE MATERIALIZED VIEW/).map(({ sql }) => toLocalView(sql, isSharded)),
  ]
}

/** The names of the tables and materialized views that migrations make. */
export const madeBy = (migrations: readonly Migration[], layout: Layout): string[] =>
  layOut(migrations, layout).flatMap((sql) => MADE.exec(sql)?.[1] ?? [])

/** A table that keeps rows, and whether each of these belongs to a trace. */
export interface KeptTable {
  readonly table: string
  readonly isOfTraces: boolean
}

/** The tables of migrations that keep rows. */
export const keptTables = (migrations: readonly Migration[]): KeptTable[] =>
  migrations
    .flatMap(({ sql }) => splitSql(sql))
    .filter((sql) => tableOf(sql) !== '' && /^\) ENGINE = \w*MergeTree/m.test(sql))
    .map((sql) => ({ table: tableOf(sql), isOfTraces: /^ *TraceId String/m.test(sql) }))

/** The tables that requests come to: each server keeps its own. */
const LANDING = /CREATE TABLE IF NOT EXISTS \$\{database\}\.otlp_/

const MADE = /^CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS \$\{database\}\.(\w+)/m

/** The lookups of a migration. */
export function lookupsOf({ sql }: Migration): Lookup[] {
  const views = splitSql(sql).flatMap((statement) => {
    const { view, target, select } = materializedView(statement) ?? {}
    return select !== undefined && readsSource(select) ? [{ view: bareName(view), table: bareName(target) }] : []
  })
  return [...new Set(views.map(({ table }) => table))].map((table) => ({
    table,
    views: views.filter((view) => view.table === table).map(({ view }) => view),
  }))
}

/** The parts of a statement that makes a materialized view; undefined for any other. */
export function materializedView(statement: string): { view: string; target: string; select: string } | undefined {
  const [, view, target, select] =
    /^(?:--.*\n)*CREATE MATERIALIZED VIEW IF NOT EXISTS (\S+) TO (\S+) AS\n([\s\S]+)$/.exec(statement) ?? []
  return view !== undefined && target !== undefined && select !== undefined ? { view, target, select } : undefined
}

/** What the comment of a lookup ends with: the form of the migration that made it as it is. */
export const formMark = ({ madeBy: form }: Migration): string => `[planspan ${shortForm(form)}]`

/** A table's name without its database. */
export const bareName = (table = ''): string => table.replace('${database}.', '')

const shortForm = (checksum: string): string => checksum.slice(0, 12)

interface Statement {
  readonly sql: string
  /** The form of a lookup, which is never altered but made anew. */
  readonly form?: string
}

function marked(migration: Migration): Statement[] {
  const lookups = new Set(lookupsOf(migration).map(({ table }) => table))
  return splitSql(migration.sql).map((sql) =>
    lookups.has(tableOf(sql))
      ? { sql: `${sql}\nCOMMENT '${formMark(migration)}'`, form: shortForm(migration.madeBy) }
      : { sql },
  )
}

const tableOf = (sql: string): string => /CREATE TABLE IF NOT EXISTS \$\{database\}\.(\w+)/.exec(sql)?.[1] ?? ''

function toLocal({ sql, form }: Statement, isReplicated: boolean): string {
  const local = sql.replace(/(CREATE TABLE IF NOT EXISTS \S+)/, '$1_local')
  if (!isReplicated) return local
  // A lookup's forms differ in their columns: a replica that still has an earlier one shares nothing with the new one.
  const path = `'/clickhouse/tables/{shard}/{database}/{table}${form === undefined ? '' : `-${form}`}'`
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
  // Rows without a trace id are merged when they are read, on whichever shard they are.
  const shard = sql.includes('TraceId') ? 'cityHash64(TraceId)' : 'rand()'
  return (
    `CREATE TABLE IF NOT EXISTS \${database}.${table} AS \${database}.${table}_local\n` +
    `ENGINE = Distributed('${cluster}', '\${database}', '${table}_local', ${shard})`
  )
}

/** Makes a view local: views over a shard's spans fill its own tables; landing views write to the Distributed table. */
const toLocalView = (sql: string, sharded: ReadonlySet<string>): string =>
  sql.replace(/ TO (\$\{database\}\.)(\w+) AS/, (whole, prefix: string, target: string) =>
    readsSource(sql) && sharded.has(target) ? ` TO ${prefix}${target}_local AS` : whole,
  )
