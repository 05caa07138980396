import {
  type AnyField,
  ATTR,
  everySpanFields,
  type FieldTable,
  PENDING,
  type Role,
  ROLE_FIELDS,
} from '../../semconv/index.js'
import { asUInt32, attributeText, attributeTold } from '../stored-columns.js'
import { fieldColumn, type FieldColumn, type ViewColumn } from './column.js'
import { allRows, lastRows, type SpanEngine } from './span-rows.js'
import { spanFacts, stateSql, toldSql } from './state-sql.js'

/** The spans of a role as a table: one row a span, however often it was sent. */
export interface RoleSpans {
  readonly columns: readonly ViewColumn[]
  /** A SELECT, with `${database}` left open. */
  readonly sql: string
}

const HEAD: readonly ViewColumn[] = [
  { name: 'Timestamp', type: 'DateTime64(9)', comment: 'When it began.' },
  { name: 'TraceId', type: 'String', comment: 'The trace, 32 hex digits.' },
  { name: 'SpanId', type: 'String', comment: 'The span, 16 hex digits.' },
  { name: 'ParentSpanId', type: 'String', comment: 'The span above; empty when there is none.' },
  { name: 'ServiceName', type: 'LowCardinality(String)', comment: 'The service that ran it [service.name]' },
  { name: 'PlanId', type: 'String', comment: `${everySpanFields.planId.brief} [${ATTR.planId}]` },
  { name: 'RootPlanId', type: 'String', comment: `${everySpanFields.rootPlanId.brief} [${ATTR.planRootId}]` },
  {
    name: 'ConversationId',
    type: 'String',
    comment: `${everySpanFields.conversationId.brief} [${ATTR.conversationId}]`,
  },
  {
    name: 'State',
    type: 'String',
    comment:
      'planning, running, updating, waiting, completed, failed, cancelled or interrupted; empty for what has not begun.',
  },
  {
    name: 'DurationMs',
    type: 'Nullable(Float64)',
    comment: 'How long it took, milliseconds; NULL while it goes on, and where an imported record tells no times.',
  },
]

/** The columns of a role's spans: those at the head, the role's own fields, what any span may carry. */
function fieldColumns(role: Role): FieldColumn[] {
  const columns = (table: FieldTable) =>
    Object.entries(table).flatMap(([name, field]) => fieldColumn(name, field) ?? [])
  const own = new Set(Object.values<AnyField>(ROLE_FIELDS[role]).map(({ key }) => key))
  const every = Object.fromEntries(Object.entries(everySpanFields).filter(([, { key }]) => !own.has(key)))
  return [...columns(ROLE_FIELDS[role]), ...columns(every)]
}

const hidden = (name: string, type: string): ViewColumn => ({ name, type, comment: '' })

/** The columns of a role's rows, in their order: those of its view, and what other SQL asks of them. */
export function rowColumns(role: Role): ViewColumn[] {
  const state = HEAD.findIndex(({ name }) => name === 'State')
  const ofPlan = [hidden('Dialect', 'String'), hidden('Source', 'String'), hidden('IsOnlyRow', 'Bool')]
  return [
    ...HEAD.slice(0, state),
    hidden('Told', 'String'),
    hidden('Ended', 'Bool'),
    ...HEAD.slice(state),
    ...fieldColumns(role),
    ...(role === 'plan' ? [...ofPlan, hidden('Convention', 'String')] : []),
    hidden('LastNanoseconds', 'Int64'),
  ]
}

/** What several spans stand for together: the segments of a resumed plan, and those that a wait spans. */
interface Joined {
  readonly group: readonly string[]
  readonly recency: string
  /** The traces in which several spans may do so; undefined for any. */
  readonly traces?: string
}

const ROOT_ID = `if(span.RootPlanId = '', span.PlanId, span.RootPlanId)`
const BEGAN_LAST = 'bitShiftLeft(toUInt128(toUnixTimestamp64Nano(span.Timestamp)), 33) + span.Recency'

const JOINED: Partial<Record<Role, Joined>> = {
  plan: {
    group: ['TraceId', 'PlanId'],
    // As plan_states ranks them: sub-plans have no segments, so that of theirs the one that began last counts.
    recency:
      `bitShiftLeft(toUInt128(toUInt64(${asUInt32('span.Segment')}) * 2 + ` +
      `(NOT Pending AND ${ROOT_ID} = span.PlanId)), 97) + ${BEGAN_LAST}`,
    traces: 'SELECT TraceId FROM (${resumed_traces})',
  },
  wait: {
    // What a sub-plan asked is answered in the outermost plan.
    group: ['TraceId', `if(${attributeText(ATTR.waitId)} = '', span.Span, ${attributeText(ATTR.waitId)})`],
    // The answer counts, and of spans that still wait the one that was heard of last.
    recency: `bitShiftLeft(toUInt128(NOT Pending AND span.State != 'waiting'), 97) + ${BEGAN_LAST}`,
  },
}

interface RoleSpansOptions {
  readonly engine: SpanEngine
  /** Some of the fields: ClickHouse has less to analyse. @default all */
  readonly only?: readonly string[]
}

/**
 * A span may be stored many times: sent again, or told of by snapshots before it ended; its last row counts, so that
 * filters on time, trace and plan reach the table's index. What several spans stand for is one row, which says what the
 * last of them says, and of what that does not repeat what the one before said.
 */
export function roleSpans(role: Role, { engine, only }: RoleSpansOptions): RoleSpans {
  const fields = fieldColumns(role).filter(({ name }) => only?.includes(name) ?? true)
  const joined = JOINED[role]
  const single = [select(singleSpan(role, fields)), `FROM ${lastRows(engine, role)}`]
  const columns = [...HEAD, ...fields]
  if (!joined) return { columns, sql: single.join('\n') }
  const { traces, group, recency } = joined
  const several = [
    select(severalSpans(role, fields), `  ${recency} AS JoinedRecency,`),
    `FROM ${allRows(role)}`,
    ...(traces === undefined ? [] : [`  AND span.TraceId GLOBAL IN (${traces})`]),
    `GROUP BY ${group.join(', ')}`,
  ]
  if (traces === undefined) return { columns, sql: several.join('\n') }
  const alone = [...single, `WHERE span.TraceId GLOBAL NOT IN (${traces})`]
  return { columns, sql: [...alone, 'UNION ALL', ...several].join('\n') }
}

const select = (columns: readonly string[], more = ''): string =>
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
const singleSpan = (role: Role, fields: readonly FieldColumn[]): string[] => [
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
function severalSpans(role: Role, fields: readonly FieldColumn[]): string[] {
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
    ...fields.map(
      ({ name, expression, key }) => `argMaxIf(${expression}, JoinedRecency, ${attributeTold(key)}) AS ${name}`,
    ),
    ...(role === 'plan'
      ? ['max(span.RecordDialect) AS Dialect', `max(${SOURCE}) AS Source`, 'true AS IsOnlyRow', `'' AS Convention`]
      : []),
    'max(EndNanoseconds) AS LastNanoseconds',
  ]
}

const JOINED_DURATION =
  'if(argMax(Pending, JoinedRecency), NULL, maxOrNullIf(EndNanoseconds, IsTimed) - min(toUnixTimestamp64Nano(span.Timestamp))) / 1000000'
