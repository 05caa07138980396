import { ATTR, PENDING, type Role } from '../../semconv/index.js'
import { asUInt32, attributeText } from '../stored-columns.js'
import type { FieldColumn } from './column.js'
import { spanFacts, stateSql, toldSql } from './state-sql.js'

/** What several spans stand for together: the segments of a resumed plan, and those that a wait spans. */
interface Joined {
  readonly group: readonly string[]
  readonly recency: string
}

const ROOT_ID = `if(span.RootPlanId = '', span.PlanId, span.RootPlanId)`
const BEGAN_LAST = 'bitShiftLeft(toUInt128(toUnixTimestamp64Nano(span.Timestamp)), 33) + span.Recency'

export const PLAN: Joined = {
  group: ['TraceId', 'PlanId'],
  // As plan_states ranks them: sub-plans have no segments, so that of theirs the one that began last counts.
  recency:
    `bitShiftLeft(toUInt128(toUInt64(${asUInt32('span.Segment')}) * 2 + ` +
    `(NOT Pending AND ${ROOT_ID} = span.PlanId)), 97) + ${BEGAN_LAST}`,
}

export const WAIT: Joined = {
  // What a sub-plan asked is answered in the outermost plan.
  group: ['TraceId', `if(${attributeText(ATTR.waitId)} = '', span.Span, ${attributeText(ATTR.waitId)})`],
  // The answer counts, and of spans that still wait the one that was heard of last.
  recency: `bitShiftLeft(toUInt128(NOT Pending AND span.State != 'waiting'), 97) + ${BEGAN_LAST}`,
}

/** The SQL for what several rows stand for together. */
export const severalRows = ({ group, recency }: Joined, columns: readonly string[], from: string): string =>
  [select(columns, `  ${recency} AS JoinedRecency,`), from, `GROUP BY ${group.join(', ')}`].join('\n')

/** A SELECT of columns of `span`, with what they are worked out from. */
export const select = (columns: readonly string[], more = ''): string =>
  [
    'WITH',
    `  span.SpanState = '${PENDING}' AS Pending,`,
    ...(more === '' ? [] : [more]),
    // A duration wraps when a span ends before it starts: such a span ends where it starts.
    '  greatest(toInt64(span.Duration), 0) AS Nanoseconds,',
    '  toUnixTimestamp64Nano(span.Timestamp) + Nanoseconds AS EndNanoseconds,',
    `  NOT Pending AND NOT (Nanoseconds = 0 AND ifNull(span.TimeSynthetic, false)) AS IsTimed`,
    `SELECT\n  ${columns.join(',\n  ')}`,
  ].join('\n')

const SOURCE = attributeText(ATTR.recordSource)

/** The columns of a span by its last row. */
export const singleSpan = (role: Role, fields: readonly FieldColumn[]): string[] => [
  'span.Timestamp AS Timestamp',
  'span.TraceId AS TraceId',
  'span.Span AS SpanId',
  'span.Parent AS ParentSpanId',
  'span.ServiceName AS ServiceName',
  'span.PlanId AS PlanId',
  `${ROOT_ID} AS RootPlanId`,
  'span.ConversationId AS ConversationId',
  `${toldSql(role)} AS Told`,
  'NOT Pending AS Ended',
  `${stateSql(spanFacts(role))} AS State`,
  'if(IsTimed, Nanoseconds, NULL) / 1000000 AS DurationMs',
  ...fields.map(({ name, expression }) => `${expression} AS ${name}`),
  ...(role === 'plan'
    ? [
        `span.RecordDialect AS Dialect`,
        `${SOURCE} AS Source`,
        `span.RecordDialect != '' AS IsOnlyRow`,
        `'' AS Convention`,
      ]
    : []),
  'EndNanoseconds AS LastNanoseconds',
]

/** The columns of several spans that are one thing. */
export function severalSpans(role: Role, fields: readonly FieldColumn[]): string[] {
  const latest = (value: string): string => `argMax(${value}, JoinedRecency)`
  return [
    'min(span.Timestamp) AS Timestamp',
    'span.TraceId AS TraceId',
    `${latest('span.Span')} AS SpanId`,
    `${latest('span.Parent')} AS ParentSpanId`,
    `${latest('span.ServiceName')} AS ServiceName`,
    `${role === 'wait' ? `argMin(span.PlanId, EndNanoseconds)` : 'span.PlanId'} AS PlanId`,
    `${latest(ROOT_ID)} AS RootPlanId`,
    `${latest('span.ConversationId')} AS ConversationId`,
    `${latest(toldSql(role))} AS Told`,
    `NOT ${latest('Pending')} AS Ended`,
    `${stateSql(spanFacts(role))} AS State`,
    `${JOINED_DURATION} AS DurationMs`,
    // The latest row that has the attribute, since a later span does not repeat what an earlier one said.
    ...fields.map(({ name, expression, told }) => `argMaxIf(${expression}, JoinedRecency, ${told}) AS ${name}`),
    ...(role === 'plan'
      ? ['max(span.RecordDialect) AS Dialect', `max(${SOURCE}) AS Source`, 'true AS IsOnlyRow', `'' AS Convention`]
      : []),
    'max(EndNanoseconds) AS LastNanoseconds',
  ]
}

const JOINED_DURATION =
  'if(argMax(Pending, JoinedRecency), NULL, maxOrNullIf(EndNanoseconds, IsTimed) - min(toUnixTimestamp64Nano(span.Timestamp))) / 1000000'
