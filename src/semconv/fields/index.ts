import type { Role } from '../roles.js'
import type { FieldTable } from '../field.js'
import { agentFields, thinkActFields } from './agent-fields.js'
import { evaluationFields, eventFields, exceptionFields, reviewFields } from './event-fields.js'
import { everySpanFields } from './every-span-fields.js'
import { guardrailFields } from './guardrail-fields.js'
import { llmFields } from './llm-fields.js'
import { planFields, planningFields } from './plan-fields.js'
import { adoptedFields, bookkeepingFields, recordFields, resourceFields } from './record-fields.js'
import { toolFields } from './tool-fields.js'
import { waitFields } from './wait-fields.js'

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

/** The field table of each role, without the fields that every span may have. */
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

/** All tables: what a span, its events, its links or its resource may have. Add new tables here. */
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
