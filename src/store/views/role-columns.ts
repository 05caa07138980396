import { type AnyField, ATTR, everySpanFields, type FieldTable, type Role, ROLE_FIELDS } from '../../semconv/index.js'
import { fieldColumn, type FieldColumn, type ViewColumn } from './column.js'

/** The columns that the spans of every role begin with. */
export const HEAD: readonly ViewColumn[] = [
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

/**
 * The columns of a role's spans after those at the head, or some of them: the role's own fields, what any span may
 * carry.
 */
export function fieldColumns(role: Role, only?: readonly string[]): FieldColumn[] {
  const columns = (table: FieldTable) =>
    Object.entries(table).flatMap(([name, field]) => fieldColumn(name, field) ?? [])
  const own = new Set(Object.values<AnyField>(ROLE_FIELDS[role]).map(({ key }) => key))
  const every = Object.fromEntries(Object.entries(everySpanFields).filter(([, { key }]) => !own.has(key)))
  return [...columns(ROLE_FIELDS[role]), ...columns(every)].filter(({ name }) => only?.includes(name) ?? true)
}

const hidden = (name: string, type: string): ViewColumn => ({ name, type, comment: '' })

/** The columns of a role's rows, in their order: those of its view, or some fields, and what other SQL asks of them. */
export function rowColumns(role: Role, only?: readonly string[]): ViewColumn[] {
  const state = HEAD.findIndex(({ name }) => name === 'State')
  const ofPlan = [hidden('Dialect', 'String'), hidden('Source', 'String'), hidden('IsOnlyRow', 'Bool')]
  return [
    ...HEAD.slice(0, state),
    hidden('Told', 'String'),
    hidden('Ended', 'Bool'),
    ...HEAD.slice(state),
    ...fieldColumns(role, only),
    ...(role === 'plan' ? [...ofPlan, hidden('Convention', 'String')] : []),
    hidden('LastNanoseconds', 'Int64'),
  ]
}
