import type { Role } from '../../semconv/index.js'
import type { ViewColumn } from './column.js'
import { planSpans } from './plan-spans.js'
import { fieldColumns, HEAD } from './role-columns.js'
import { select, severalRows, severalSpans, singleSpan, WAIT } from './span-selects.js'
import { allRows, joinedRows, lastRows, type SpanEngine } from './span-rows.js'

/** The spans of a role as a table: one row a span, however often it was sent. */
export interface RoleSpans {
  readonly columns: readonly ViewColumn[]
  /** A SELECT, with `${database}` left open. */
  readonly sql: string
}

export interface RoleSpansOptions {
  readonly engine: SpanEngine
  /** Some of the fields: ClickHouse has less to analyse. @default all */
  readonly only?: readonly string[]
  /** Whether a join asks for them, by trace. @default false */
  readonly isJoined?: boolean
}

/**
 * A span may be stored many times: sent again, or told of by snapshots before it ended; its last row counts, so that
 * filters on time, trace and plan reach the table's index. What several spans stand for is one row, which says what the
 * last of them says, and of what that does not repeat what the one before said.
 */
export function roleSpans(role: Role, { engine, only, isJoined }: RoleSpansOptions): RoleSpans {
  const fields = fieldColumns(role, only)
  const columns = [...HEAD, ...fields]
  switch (role) {
    case 'plan':
      return { columns, sql: planSpans(engine, fields) }
    case 'wait':
      return {
        columns,
        sql: severalRows(WAIT, severalSpans(role, fields), `FROM ${allRows('plain', role, 'joined_rows')}`),
      }
    default:
      return {
        columns,
        sql: `${select(singleSpan(role, fields))}\nFROM ${isJoined ? joinedRows(engine, role, 'last') : lastRows(engine, role)}`,
      }
  }
}
