import { type AnyField, ATTR, everySpanFields, type FieldTable, type Role, ROLE_FIELDS } from '../../semconv/index.js'
import { ROW_COLUMN_OF, stateAt } from '../row-tables/index.js'
import { COLUMN_OF, type ColumnOf } from '../schema/stored-columns.js'
import { fieldColumn, type ViewColumn } from './column.js'

/** The state of a row now. */
export const STATE = stateAt('now64(9)', 'span.')

/** Milliseconds from start to end, where both are known. */
const MEASURED =
  'if(span.Ended AND NOT (span.Duration = 0 AND ifNull(span.TimeSynthetic, false)), span.Duration / 1000000, NULL)'

/** The durations by role. A record without times may contain durations. */
const DURATION: Readonly<Partial<Record<Role, string>>> = {
  plan: `coalesce(${MEASURED}, span.TotalDurationSeconds * 1000)`,
  tool: `coalesce(${MEASURED}, span.ActionDurationSeconds * 1000, span.DurationSeconds * 1000)`,
  wait: `if(${STATE} = 'waiting', NULL, ${MEASURED})`,
}

/** The first columns of each view over spans of a role. */
export const headColumns = (role: Role): ViewColumn[] => [
  column('Timestamp', 'DateTime64(9)', 'The start time.'),
  column('TraceId', 'String', 'The trace, 32 hex digits.'),
  column(
    'SpanId',
    'String',
    `The span, 16 hex digits${role === 'plan' ? '; empty for a plan whose own span is not stored' : ''}.`,
  ),
  column('ParentSpanId', 'String', 'The parent span; empty for a root span.'),
  column('ServiceName', 'LowCardinality(String)', 'The service that ran it [service.name]'),
  column('PlanId', 'String', `${everySpanFields.planId.brief} [${ATTR.planId}]`),
  column('RootPlanId', 'String', `${everySpanFields.rootPlanId.brief} [${ATTR.planRootId}]`),
  column('ConversationId', 'String', `${everySpanFields.conversationId.brief} [${ATTR.conversationId}]`),
  column(
    'State',
    'String',
    'planning, running, updating, waiting, completed, failed, cancelled or interrupted; empty if it has not begun.',
    STATE,
  ),
  column(
    'DurationMs',
    'Nullable(Float64)',
    'The duration, milliseconds; NULL while it is open, and for an imported record without times.',
    DURATION[role] ?? MEASURED,
  ),
]

/** The fields whose values the mapping decides, by the columns of the indexed tables that contain them. */
const DECIDED: Readonly<Record<string, string>> = {
  errorMessage: 'span.Error',
  actionTaken: 'span.Taken',
}

/** All columns of the view over a role's spans: the first ones, the role's fields, the fields of every span. */
export function roleColumns(role: Role): ViewColumn[] {
  const columns = (table: FieldTable) =>
    Object.entries(table).flatMap(([name, field]) => {
      const found = fieldColumn(name, field, computedOf(role))
      return found ? { ...found, expression: DECIDED[name] ?? found.expression } : []
    })
  const own = new Set(Object.values<AnyField>(ROLE_FIELDS[role]).map(({ key }) => key))
  const every = Object.fromEntries(Object.entries(everySpanFields).filter(([, { key }]) => !own.has(key)))
  return [...headColumns(role), ...columns(ROLE_FIELDS[role]), ...columns(every)]
}

/** The computed columns of the tables that the view reads: cycles and calls are in `otel_traces`, too. */
function computedOf(role: Role): ColumnOf {
  if (role === 'plan') return ROW_COLUMN_OF.plans
  return role === 'think_act' || role === 'llm' || role === 'tool' ? COLUMN_OF : ROW_COLUMN_OF.spans
}

/** A column with its own name in the table, unless an expression is given. */
export function column(name: string, type: string, comment: string, expression = `span.${name}`): ViewColumn {
  return { name, type, comment, expression }
}
