import type { Role } from '../semconv/index.js'

/** The role names in messages. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  plan: 'a plan',
  planning: 'a planning',
  wait: 'a wait',
  agent: 'an agent',
  think_act: 'a cycle',
  llm: 'a model call',
  guardrail: 'a guardrail',
  tool: 'a tool call',
}
