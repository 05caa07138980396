import type { Role } from '../roles.js'
import type { FieldTable } from '../field.js'
import { agentFields, thinkActFields } from './agent.js'
import { eventFields } from './event.js'
import { everySpanFields } from './every-span.js'
import { guardrailFields } from './guardrail.js'
import { llmFields } from './llm.js'
import { planFields, planningFields } from './plan.js'
import { toolFields } from './tool.js'
import { waitFields } from './wait.js'

export {
  agentFields,
  eventFields,
  everySpanFields,
  guardrailFields,
  llmFields,
  planFields,
  planningFields,
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
