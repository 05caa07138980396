import { ATTR } from '../attributes.js'
import { boolean, int, text, textList } from '../field.js'

/** Fields that any span of a plan may carry, whatever its role. */
export const everySpanFields = {
  role: text(ATTR.spanKind, 'What the span is: its role.'),
  operation: text(ATTR.operationName, 'The GenAI operation of the role.'),
  schemaVersion: int(ATTR.schemaVersion, 'The version of the mapping that wrote the span.'),
  planId: text(ATTR.planId, 'The plan that the span belongs to; below a sub-plan, the sub-plan.'),
  rootPlanId: text(ATTR.planRootId, 'The outermost plan.'),
  conversationId: text(ATTR.conversationId, 'The conversation or session.'),
  agentName: text(ATTR.agentName, 'The agent at work, on all that it does; on a planning, the planner.'),
  seq: int(ATTR.seq, 'Position among the siblings of the same role.'),
  state: text(ATTR.state, 'Where the plan, agent or cycle stands, in planspan’s words.'),
  status: text(ATTR.status, 'Where it stands, in the source system’s own word.'),
  errorType: text(ATTR.errorType, 'The class of the error, low cardinality.'),
  errorMessage: text(ATTR.errorMessage, 'What the error said.', { content: true }),
  recordId: text(ATTR.recordId, 'The JSON field `id` of the record, digit for digit.'),
  startTime: text(ATTR.recordStartTime, 'The start as an imported record writes it, ISO 8601 without a zone.'),
  endTime: text(ATTR.recordEndTime, 'The end as an imported record writes it, ISO 8601 without a zone.'),
  timeSynthetic: boolean(ATTR.timeSynthetic, 'True when the span’s times are derived, not recorded.'),
  redactedFields: textList(ATTR.redactedFields, 'The attributes that were left out or masked on purpose.'),
  dropped: int(ATTR.dropped, 'How many values of this span could not be sent.'),
} as const
