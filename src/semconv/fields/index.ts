import type { Role } from '../roles.js'
import type { FieldTable } from '../field.js'
import { agentFields, thinkActFields } from './agent.js'
import { evaluationFields, eventFields, exceptionFields, reviewFields } from './event.js'
import { everySpanFields } from './every-span.js'
import { guardrailFields } from './guardrail.js'
import { llmFields } from './llm.js'
import { planFields, planningFields } from './plan.js'
import { adoptedFields, bookkeepingFields, recordFields, resourceFields } from './record.js'
import { toolFields } from './tool.js'
import { waitFields } from './wait.js'

export {
  adoptedFields,
  agentFields,
  bookkeepingFields,
  evaluationFields,
  eventFields,
  everySpanFields,
  exceptionFields,
  guardrailFields,
  llmFields,
  planFields,
  planningFields,
  recordFields,
  resourceFields,
  reviewFields,
  thinkActFields,
  toolFields,
  waitFields,
}

/** The field table of each role, without the fields that every span may carry. */
export const ROLE_FIELDS = {
  plan: planFields,
  planning: planningFields,
  wait: waitFields,
  agent: agentFields,
  think_act: thinkActFields,
  llm: llmFields,
  guardrail: guardrailFields,
  tool: toolFields,
} as const satisfies Record<Role, FieldTable>

/** Every table: what a span, its events, its links or its resource may carry. A new table is named here. */
export const FIELD_TABLES = {
  ...ROLE_FIELDS,
  every: everySpanFields,
  event: eventFields,
  exception: exceptionFields,
  evaluation: evaluationFields,
  review: reviewFields,
  record: recordFields,
  bookkeeping: bookkeepingFields,
  adopted: adoptedFields,
  resource: resourceFields,
} as const satisfies Record<string, FieldTable>
