import { ERROR_TEXT } from '../../mapping/index.js'
import { ATTR, type Role } from '../../semconv/index.js'
import type { FieldColumn, ViewColumn } from '../views/column.js'
import { type FactRole, factSql, isFact, knownSql } from './fact-sql.js'
import { listLiteral } from './literals.js'

/** The kinds of the other instrumentations' spans that the view of a role shows beside planspan's own. */
const KINDS = {
  agent: `Kind = 'agent'`,
  think_act: `Kind = 'think_act'`,
  tool: `Kind IN ('tool', 'retrieval')`,
  llm: `Kind = 'llm'`,
} as const satisfies Partial<Record<Role, string>>

type ForeignRole = keyof typeof KINDS & FactRole

export const isForeignRole = (role: Role): role is ForeignRole => role in KINDS

const END = 'toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0)'

/** What the columns at the head of a view are of another instrumentation's span. */
const HEAD: Readonly<Record<string, string>> = {
  Timestamp: 'Timestamp',
  TraceId: 'TraceId',
  SpanId: 'SpanId',
  ParentSpanId: 'ParentSpanId',
  ServiceName: 'ServiceName',
  PlanId: 'PlanId',
  RootPlanId: 'RootPlanId',
  Told: `multiIf(NOT Ended, 'running', Failed, 'failed', 'completed')`,
  Ended: 'toBool(Ended)',
  State: 'Told',
  DurationMs: 'if(Ended, greatest(toInt64(Duration), 0), NULL) / 1000000',
  LastNanoseconds: END,
}

const ERROR_KEYS = ERROR_TEXT.filter((place) => typeof place === 'string')

/** The attributes of which any span tells something. */
export const TOLD_KEYS = [...ERROR_KEYS, ATTR.agentName, ATTR.errorType]

/** What the error of a span said, '' without one. */
export const ERROR_SAID = `if(Failed, arrayFirst(told -> told != '', arrayPushBack(arrayMap(key -> Facts[key], ${listLiteral(ERROR_KEYS)}), StatusMessage)), '')`

/** What is told of any span. */
const TOLD: Readonly<Record<string, string>> = {
  [ATTR.agentName]: `Facts['${ATTR.agentName}']`,
  [ATTR.errorType]: `Facts['${ATTR.errorType}']`,
  [ATTR.errorMessage]: ERROR_SAID,
}

const isField = (column: ViewColumn): column is FieldColumn => 'key' in column

/**
 * Other instrumentations' spans of a role in the columns of its view, as a SELECT with `${database}` left open. What
 * they say stays in `otel_traces`. What tells a model call of planspan's own again is that call.
 */
export function foreignSpans(role: ForeignRole, columns: readonly ViewColumn[]): string {
  const value = (column: ViewColumn): string => {
    if (!isField(column)) return HEAD[column.name] ?? nothing(column)
    if (!isFact(role, column.key)) return TOLD[column.key] ?? nothing(column)
    const text = factSql(role, column.key)
    return column.type === 'Nullable(Int64)' ? `toInt64OrNull(${text})` : text
  }
  const selected = columns.map((column) => `${value(column)} AS ${column.name}`)
  return [
    `SELECT\n  ${selected.join(',\n  ')}`,
    `FROM (SELECT *, ${knownSql([role])} AS Known FROM \${database}.foreign_spans FINAL PREWHERE ${KINDS[role]})`,
    ...(role === 'tool' ? [] : [`WHERE Facts['${ATTR.within}'] != 'llm'`]),
  ].join('\n')
}

/** Of a column that such spans do not tell. */
export const nothing = ({ type }: ViewColumn): string => `defaultValueOfTypeName('${type}')`
