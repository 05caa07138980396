import { OPERATIONS, PENDING, type Role } from '../../semconv/index.js'
import { SPAN_COLUMNS } from '../columns.js'
import { readSql } from '../sql-file.js'
import { COMPUTED_COLUMNS } from '../stored-columns.js'

/**
 * Whether the span table replaces a span's earlier rows, or is one that a collector or an earlier planspan made; or
 * that, of either, those of `${spans_of_traces}` alone are read.
 */
export type SpanEngine = 'replacing' | 'plain' | 'traces'

const ALL_COLUMNS = [...Object.keys(SPAN_COLUMNS), ...COMPUTED_COLUMNS.map(({ name }) => name)]
  .map((name) => `\`${name}\``)
  .join(', ')

/** The tables of spans' rows: all, and those of spans that may stand for one thing with others. */
type RowTable = 'otel_traces' | 'joined_rows'

/** All rows of a role's spans, as `span`, for FROM; conditions may follow. */
export const allRows = (engine: SpanEngine, role: Role, table: RowTable = 'otel_traces'): string =>
  [
    `\${database}.${table} AS span`,
    // The name is in the key of a table that a collector made; it begins with the operation for all spans of the role.
    `WHERE startsWith(span.SpanName, '${OPERATIONS[role]}') AND ${isOfRole(role)}`,
    ...(engine === 'traces' ? ['AND ${spans_of_traces}'] : []),
  ].join('\n')

/** The last row of each span of a role, as `span`, for FROM; WHERE may follow. */
export function lastRows(engine: SpanEngine, role: Role, table: RowTable = 'otel_traces'): string {
  // All rows of a span are of one role, and PREWHERE leaves the others unread.
  if (engine === 'replacing') return `\${database}.${table} AS span FINAL\nPREWHERE ${isOfRole(role)}`
  return [
    `(SELECT ${ALL_COLUMNS} FROM ${allRows(engine, role, table)}`,
    // What all rows of a span share, so that filters on it reach the table.
    'ORDER BY Recency DESC LIMIT 1 BY TraceId, Timestamp, Span, ServiceName, PlanId) AS span',
  ].join('\n')
}

/**
 * The last row of each span of a role, or all rows, as `span`, for FROM, where a join asks for them by trace. Before
 * ClickHouse reads them, it finds the days of the traces that are asked for, and skips all others; nothing is left out,
 * since each span starts on a day of its trace. An index is no help to FINAL: the last rows are picked by their spans.
 */
export const joinedRows = (engine: SpanEngine, role: Role, which: 'last' | 'all'): string => {
  const last = 'ORDER BY Recency DESC LIMIT 1 BY TraceId, Day, cityHash64(Timestamp, Span, ServiceName)'
  return [
    `(SELECT ${ALL_COLUMNS} FROM ${allRows(engine, role)}`,
    `${which === 'last' ? last : ''}) AS span`,
    // Rows of few traces are found without.
    ...(engine === 'traces' ? [] : [OF_TRACE_DAYS]),
  ].join('\n')
}

const OF_TRACE_DAYS =
  `LEFT SEMI JOIN (${readSql('fragments/trace_days.sql').trimEnd()}) AS day ` +
  'ON day.DayTrace = span.TraceId AND day.TraceDay = span.Day'

/** The condition that `span` is of one of the traces that a query selects, which are few. */
export const inTraces = (engine: SpanEngine, traces: string): string =>
  engine === 'replacing'
    ? `(toStartOfHour(span.Timestamp, 'UTC'), span.TraceId) GLOBAL IN (
      SELECT arrayJoin(Hours), TraceId FROM \${database}.otel_traces_trace_id_ts WHERE TraceId GLOBAL IN (${traces})
    )`
    : `span.TraceId GLOBAL IN (${traces})`

/** The spans that have ended, one row each, for FROM. */
export const endedRows = (engine: SpanEngine): string => {
  const ended = `WHERE SpanState != '${PENDING}'`
  return engine === 'replacing'
    ? `\${database}.otel_traces FINAL ${ended}`
    : `\${database}.otel_traces ${ended} LIMIT 1 BY TraceId, Timestamp, SpanId, ServiceName`
}

const isOfRole = (role: Role): string => `span.Role = '${role}'`
