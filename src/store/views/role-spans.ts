import {
  type AnyField,
  ATTR,
  everySpanFields,
  type FieldTable,
  OPERATIONS,
  PENDING,
  type Role,
  ROLE_FIELDS,
} from '../../semconv/index.js'
import { fieldColumn, type FieldColumn, type ViewColumn } from './column.js'
import { spanFacts, stateSql, toldSql } from './state-sql.js'

/** The spans of a role as a table: one row a span, however often it was sent. */
export interface RoleSpans {
  readonly columns: readonly ViewColumn[]
  /** A SELECT, with `${database}` left open. */
  readonly sql: string
}

/** Roles whose spans are told of before they end. */
const SNAPSHOTS: ReadonlySet<Role> = new Set<Role>(['plan', 'planning', 'agent', 'think_act', 'tool', 'wait'])

const attribute = (key: string): string => `span.SpanAttributes['${key}']`

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

const REAL_SPAN_ID = `if(Pending, ${attribute(ATTR.pendingSpanId)}, span.SpanId)`
const REAL_PARENT_ID = `if(Pending, ${attribute(ATTR.pendingParentSpanId)}, span.ParentSpanId)`

/** What several spans stand for together: the segments of a resumed plan, and those that a wait spans. */
const JOINED: Partial<Record<Role, { readonly group: readonly string[]; readonly recency: string }>> = {
  plan: {
    group: ['TraceId', 'PlanId'],
    recency: `bitShiftLeft(toUInt64(toUInt32OrZero(${attribute(ATTR.planSegment)})), 33) + OwnRecency`,
  },
  wait: {
    // What a sub-plan asked is answered in the outermost plan.
    group: ['TraceId', `if(${attribute(ATTR.waitId)} = '', ${REAL_SPAN_ID}, ${attribute(ATTR.waitId)})`],
    // The answer counts, and of spans that still wait the one that was heard of last.
    recency:
      `bitShiftLeft(toUInt128(NOT Pending AND ${attribute(ATTR.state)} != 'waiting'), 97) + ` +
      'bitShiftLeft(toUInt128(toUnixTimestamp64Nano(span.Timestamp)), 33) + OwnRecency',
  },
}

/**
 * A span may be stored many times: sent again, or told of by snapshots before it ended. Grouping by what all its rows
 * share lets filters on time, trace and plan reach the table's index, which LIMIT BY would not. What several spans
 * stand for is one row, which says what the last of them says, and of what that does not repeat what the one before
 * said. With some of the fields `only`, ClickHouse has less to analyse.
 */
export function roleSpans(role: Role, only?: readonly string[]): RoleSpans {
  const fields = fieldColumns(role).filter(({ name }) => only?.includes(name) ?? true)
  const joined = JOINED[role]
  const hasSnapshots = SNAPSHOTS.has(role)
  const latest = (value: string): string => (hasSnapshots ? `argMax(${value}, Recency)` : `any(${value})`)
  const spanId = hasSnapshots ? REAL_SPAN_ID : 'span.SpanId'
  const selected = [
    `${joined ? 'min(span.Timestamp)' : 'span.Timestamp'} AS Timestamp`,
    'span.TraceId AS TraceId',
    `${joined ? latest(spanId) : spanId} AS SpanId`,
    `${latest(hasSnapshots ? REAL_PARENT_ID : 'span.ParentSpanId')} AS ParentSpanId`,
    `${joined ? latest('span.ServiceName') : 'span.ServiceName'} AS ServiceName`,
    `${role === 'wait' ? `argMin(${attribute(ATTR.planId)}, EndNanoseconds)` : attribute(ATTR.planId)} AS PlanId`,
    `${latest(`if(${attribute(ATTR.planRootId)} = '', ${attribute(ATTR.planId)}, ${attribute(ATTR.planRootId)})`)} AS RootPlanId`,
    `${latest(attribute(ATTR.conversationId))} AS ConversationId`,
    `${latest(toldSql(role))} AS Told`,
    `${hasSnapshots ? 'bitTest(toUInt64(max(Recency)), 32)' : 'true'} AS Ended`,
    `${stateSql(spanFacts(role))} AS State`,
    `${joined ? JOINED_DURATION : DURATION} AS DurationMs`,
    ...fields.map(
      ({ name, expression, key }) => `${joined ? latestTold(expression, key) : latest(expression)} AS ${name}`,
    ),
    'max(EndNanoseconds) AS LastNanoseconds',
  ]
  return {
    columns: [...HEAD, ...fields],
    sql: [
      'WITH',
      `  ${attribute(ATTR.spanState)} = '${PENDING}' AS Pending,`,
      // A number, since ClickHouse compares tuples value by value, through a type that holds anything.
      `  bitShiftLeft(toUInt64(NOT Pending), 32) + toUInt32OrZero(${attribute(ATTR.snapshotSeq)}) AS OwnRecency,`,
      `  ${joined?.recency ?? 'OwnRecency'} AS Recency,`,
      // A duration wraps when a span ends before it starts: such a span ends where it starts.
      '  greatest(toInt64(span.Duration), 0) AS Nanoseconds,',
      '  toUnixTimestamp64Nano(span.Timestamp) + Nanoseconds AS EndNanoseconds,',
      `  NOT Pending AND NOT (Nanoseconds = 0 AND ${attribute(ATTR.timeSynthetic)} = 'true') AS IsTimed`,
      `SELECT\n  ${selected.join(',\n  ')}`,
      'FROM ${database}.otel_traces AS span',
      // The name is in the table's key; it begins with the operation for all spans of the role.
      `WHERE startsWith(span.SpanName, '${OPERATIONS[role]}') AND ${attribute(ATTR.spanKind)} = '${role}'`,
      `GROUP BY ${(joined?.group ?? ['TraceId', 'PlanId', 'SpanId', 'Timestamp', 'ServiceName']).join(', ')}`,
    ].join('\n'),
  }
}

/** The latest row that has the attribute, since a later span does not repeat what an earlier one said. */
const latestTold = (expression: string, key: string): string =>
  `argMaxIf(${expression}, Recency, ${attribute(key)} != '')`

const DURATION = 'maxOrNullIf(Nanoseconds, IsTimed) / 1000000'

const JOINED_DURATION =
  'if(argMax(Pending, Recency), NULL, maxOrNullIf(EndNanoseconds, IsTimed) - min(toUnixTimestamp64Nano(span.Timestamp))) / 1000000'
