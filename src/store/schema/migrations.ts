import { createHash } from 'node:crypto'

import { fillSql, readSql } from '../client/sql-file.js'
import type { Encoding } from '../ingest/index.js'
import { ROW_TABLES, rowTableDdl } from '../row-tables/index.js'
import { AGENT_LOG_PARTS } from './agent-logs.js'
import { COMPUTED_COLUMNS, KEY_COLUMNS, ROW_SPAN, type TableColumn } from './stored-columns.js'

/** One version of the schema: the statements that create it from the version before. */
export interface Migration {
  readonly version: number
  readonly sql: string
  /** SHA-256 of the SQL with its placeholders for databases and tables. */
  readonly checksum: string
}

/**
 * The files of each version, the first one first, in the order in which their tables and the views that fill these can
 * be created. A released version never changes: a change of the schema is a new version, whose file is named after it.
 */
const VERSIONS: readonly (readonly string[])[] = [
  [
    'version-1/planspan_migrations.sql',
    'version-1/otel_traces.sql',
    'version-1/trace_id_ts.sql',
    'version-1/plan_keys.sql',
    'landing/protobuf.sql',
    'landing/json.sql',
    'version-1/otel_logs.sql',
    'version-1/log_events.sql',
    'version-1/agent_logs.sql',
    'landing/logs_protobuf.sql',
    'landing/logs_json.sql',
    'version-1/service_operations.sql',
    'version-1/model_prices.sql',
    'landing/journal.sql',
    'version-1/index.sql',
  ],
]

/** All versions of the schema, read from their files. */
export const readMigrations = (): Migration[] =>
  VERSIONS.map((files, at) => {
    const sql = fillSql(files.map(readSql).join('\n'), PARTS)
    return { version: at + 1, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })

const declared = (columns: readonly TableColumn[]): string[] =>
  columns.map(
    ({ name, type, kind, expression }) =>
      `${name} ${type} ${kind} ${expression}${kind === 'ALIAS' ? '' : ' CODEC(ZSTD(1))'}`,
  )

const fragment = (name: string): string => readSql(`fragments/${name}.sql`).trimEnd()

/** How the landing tables read values and attributes in an encoding. */
function valueParts(encoding: Encoding): Record<string, string> {
  const value = fragment(`${encoding}_value`)
  return {
    [`${encoding}_value`]: value,
    [`${encoding}_attributes`]: `Array(Tuple(key String, value ${value}))`,
    [`${encoding}_values`]: fragment(`${encoding}_values`),
  }
}

/** The values of the files' placeholders: columns of spans, computed columns, values, and the tables of rows. */
const PARTS = {
  ...valueParts('protobuf'),
  ...valueParts('json'),
  span_columns: fragment('span_columns'),
  trace_times: fragment('trace_times'),
  key_columns: declared(KEY_COLUMNS).join(',\n  '),
  add_computed_columns: declared(COMPUTED_COLUMNS)
    .map((column) => `ADD COLUMN IF NOT EXISTS ${column}`)
    .join(',\n  '),
  row_tables: Object.values(ROW_TABLES).map(rowTableDdl).join('\n\n'),
  row_span: ROW_SPAN,
  ...AGENT_LOG_PARTS,
}
