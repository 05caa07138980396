import { createHash } from 'node:crypto'

import { SPAN_COLUMNS } from './columns.js'
import { FOREIGN_PARTS } from './foreign/index.js'
import { fillSql, readSql } from './sql-file.js'
import { ATTR } from '../semconv/index.js'
import { ROW_TABLES, rowTableDdl } from './row-tables/index.js'
import { attributeText, COMPUTED_COLUMNS, ROW_SPAN, SPAN_ROW_COLUMNS, type TableColumn } from './stored-columns.js'
import { messagesText } from './views/column.js'
import { AGENT_ROW, MAY_BE_OPEN } from './views/state-sql.js'

export interface Migration {
  readonly id: string
  readonly sql: string
  /** SHA-256 of the SQL with its placeholder for the database. */
  readonly checksum: string
  /** The checksum of the form that made the lookups as they are: views alone may have other queries since. */
  readonly madeBy: string
  /** The checksums of its earlier forms: a database that has one of them is brought along. */
  readonly earlier: readonly string[]
  /** The tables and views that only its earlier forms made. */
  readonly former: readonly string[]
}

/**
 * The tables and the views that fill them, in the order in which they are made. A database may have applied an
 * `0008_listed_steps`, which 0003 has become: that number is taken.
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  '0001_otel_traces': ['0001_otel_traces.sql'],
  '0002_trace_id_ts': ['0002_trace_id_ts.sql'],
  '0003_plan_keys': ['0003_plan_keys.sql'],
  '0004_plan_states': ['0004_plan_states.sql'],
  '0005_landing': ['landing/protobuf.sql', 'landing/json.sql'],
  '0006_service_operations': ['0006_service_operations.sql'],
  '0007_model_prices': ['0007_model_prices.sql'],
  '0009_foreign_spans': ['0009_foreign_spans.sql'],
  '0010_journal': ['landing/journal.sql'],
  '0011_joined_rows': ['0011_joined_rows.sql'],
  '0012_plan_contents': ['0012_plan_contents.sql'],
  '0013_model_call_totals': ['0013_model_call_totals.sql'],
  '0014_index': ['0014_index.sql'],
}

/** Each form that landed before the one above. Its schema is in test/fixtures/schemas, with data to bring along. */
const EARLIER: Readonly<Record<string, readonly string[]>> = {
  '0001_otel_traces': [
    '4bc097d9afdfe2d3828e1da83cd60a3fb61a592ce9525126a063e5393181f3ed',
    'eaebb877dd81126e493e9ecdbf6b740a9e3b11aee447791bc620cdadac70dc41',
  ],
  '0002_trace_id_ts': ['4905aab11e8da3b1f2acb70813364d1fe9a66e6b77cd39b989ab9e4a09b3f121'],
  '0003_plan_keys': [
    'c2cedb84527585febfd84f9bc17270fd35326d543f82ae3cf046a02a9661123a',
    'ae17c857316f9f682da7281b2cbc63cdaf0e5f7bfc05fb490676d530e4d453ef',
    '9874e2dd98a030f4122ef04d0d19487806b3373fd5d140c89fd709e7ac5f8e10',
  ],
  '0004_plan_states': [
    'a118883e1e22c578f3f2ac03756dd3f7e616a64b28097d93a35b049b5d3aae51',
    'c47ad120bd3351fc3ec64e8c715c31c5195cc230d34019d399ffc7f8a37e2150',
  ],
  '0005_landing': ['7a660a8386c21b6e91acfb960346afb09baa76a9fadd691104e5ea3eddb3cd65'],
}

/** The form that made a migration's lookups as they are, where only queries of views have changed since. */
const MADE_BY: Readonly<Record<string, string>> = {
  '0003_plan_keys': '9874e2dd98a030f4122ef04d0d19487806b3373fd5d140c89fd709e7ac5f8e10',
}

/** What earlier forms made beside the tables and views of today. */
const FORMER: Readonly<Record<string, readonly string[]>> = {
  '0003_plan_keys': ['listed_steps_mv'],
  '0004_plan_states': ['plan_standings'],
}

/** Whether a migration was applied to a database in a form that this version knows, by the checksums that it noted. */
export const isKnownForm = ({ checksum, earlier }: Migration, applied: readonly string[]): boolean =>
  applied.includes(checksum) || applied.every((one) => earlier.includes(one))

/** All migrations, read from their files. */
export const readMigrations = (): Migration[] =>
  Object.entries(FILES).map(([id, files]) => {
    const rows = id === '0014_index' ? Object.values(ROW_TABLES).map(rowTableDdl) : []
    const sql = fillSql([...files.map(readSql), ...rows].join('\n\n'), PARTS)
    const checksum = createHash('sha256').update(sql).digest('hex')
    return {
      id,
      sql,
      checksum,
      madeBy: MADE_BY[id] ?? checksum,
      earlier: EARLIER[id] ?? [],
      former: FORMER[id] ?? [],
    }
  })

const declared = (columns: readonly TableColumn[]): string[] =>
  columns.map(
    ({ name, type, kind, expression }) =>
      `${name} ${type} ${kind} ${expression}${kind === 'ALIAS' ? '' : ' CODEC(ZSTD(1))'}`,
  )

/** What is put into the files: the columns of spans, those that ClickHouse computes, and rules of the mapping. */
const PARTS = {
  span_columns: readSql('fragments/span_columns.sql').trimEnd(),
  span_names: Object.keys(SPAN_COLUMNS).join(', '),
  computed_columns: declared(COMPUTED_COLUMNS).join(',\n  '),
  add_computed_columns: declared(COMPUTED_COLUMNS)
    .map((column) => `ADD COLUMN IF NOT EXISTS ${column}`)
    .join(',\n  '),
  span_row_columns: declared(SPAN_ROW_COLUMNS).join(',\n  '),
  row_span: ROW_SPAN,
  agent_told: AGENT_ROW.told,
  agent_state: AGENT_ROW.state,
  may_be_open: MAY_BE_OPEN,
  own_answers: `[${attributeText(ATTR.planSummary)}, ${messagesText(attributeText(ATTR.outputMessages))}]`,
  ...FOREIGN_PARTS,
}
