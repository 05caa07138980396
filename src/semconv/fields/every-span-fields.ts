import { boolean, int, text, textList } from '../field.js'

/** Fields that a span of any role may have. */
export const everySpanFields = {
  role: text('planspan.span.kind', 'What the span is: its role.', {
    structural: true,
    column: false,
    stored: 'Role',
    fewValues: true,
  }),
  operation: text('gen_ai.operation.name', 'The GenAI operation of the role.', { structural: true, column: false }),
  spanType: text('openinference.span.kind', 'The role in the words of OpenInference, for its readers.', {
    structural: true,
    column: false,
  }),
  schemaVersion: int('planspan.schema.version', 'The version of the mapping that wrote the span.'),
  planId: text('planspan.plan.id', 'The plan that the span belongs to; below a sub-plan, the sub-plan.', {
    structural: true,
    column: false,
    stored: 'PlanId',
  }),
  rootPlanId: text('planspan.plan.root_id', 'The outermost plan.', {
    structural: true,
    column: false,
    stored: 'RootPlanId',
  }),
  conversationId: text('gen_ai.conversation.id', 'The conversation or session.', {
    structural: true,
    column: false,
    stored: 'ConversationId',
  }),
  agentName: text('gen_ai.agent.name', 'The agent at work, on all that it does; on a planning, the planner.', {
    stored: 'AgentName',
    fewValues: true,
  }),
  seq: int('planspan.seq', 'Position among the siblings of the same role.'),
  state: text('planspan.state', 'The state of the plan, agent or cycle.', {
    structural: true,
    latestOnly: true,
    column: false,
    stored: 'State',
    fewValues: true,
  }),
  status: text('planspan.status', 'The state in the source system’s own word.', {
    structural: true,
    latestOnly: true,
  }),
  errorType: text('error.type', 'The class of the error, low cardinality.', {
    structural: true,
    latestOnly: true,
    stored: 'ErrorType',
    fewValues: true,
  }),
  errorMessage: text('planspan.error.message', 'What the error said.', {
    content: true,
    latestOnly: true,
    stored: 'ErrorMessage',
  }),
  recordId: text('planspan.record.id', 'The JSON field `id` of the record, digit for digit.', { structural: true }),
  startTime: text('planspan.record.start_time', 'The start as an imported record writes it, ISO 8601 without a zone.', {
    structural: true,
    column: 'RecordStartTime',
  }),
  endTime: text('planspan.record.end_time', 'The end as an imported record writes it, ISO 8601 without a zone.', {
    structural: true,
    column: 'RecordEndTime',
  }),
  unreadTimes: textList(
    'planspan.record.unread_times',
    'The paths of values in an imported record that should be times and could not be read.',
    { structural: true, column: false },
  ),
  timeSynthetic: boolean('planspan.time.synthetic', 'True when the span’s times are derived, not recorded.', {
    stored: 'TimeSynthetic',
  }),
  redactedFields: textList('planspan.redacted_fields', 'The attributes that were left out or masked on purpose.', {
    structural: true,
  }),
  within: text(
    'planspan.within',
    'On another instrumentation’s span: the role of planspan’s own span that it ran in.',
    {
      structural: true,
      column: false,
    },
  ),
  dropped: int('planspan.dropped', 'How many values of this span could not be sent.', { summed: true }),
} as const
