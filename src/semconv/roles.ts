/** The roles of spans. */
export const ROLES = ['plan', 'planning', 'wait', 'agent', 'think_act', 'llm', 'guardrail', 'tool'] as const

export type Role = (typeof ROLES)[number]

/** The `gen_ai.operation.name` of each role. */
export const OPERATIONS = {
  plan: 'invoke_workflow',
  planning: 'plan',
  wait: 'wait_for_user',
  agent: 'invoke_agent',
  think_act: 'agent_step',
  llm: 'chat',
  guardrail: 'run_guardrail',
  tool: 'execute_tool',
} as const satisfies Record<Role, string>

/**
 * The `openinference.span.kind` of each role. Phoenix and Langfuse show spans by it, also as planspan's guardrails,
 * which a name or id of a tool would turn into tool calls there.
 */
export const SPAN_TYPES = {
  plan: 'CHAIN',
  planning: 'CHAIN',
  wait: 'CHAIN',
  agent: 'AGENT',
  think_act: 'CHAIN',
  llm: 'LLM',
  guardrail: 'GUARDRAIL',
  tool: 'TOOL',
} as const satisfies Record<Role, string>

/**
 * Returns the name of a span: the operation and, if known, a low-cardinality subject (workflow, agent, model,
 * guardrail, tool). Never a title, a request or an id.
 */
export function spanName(role: Role, subject?: string): string {
  return subject ? `${OPERATIONS[role]} ${subject}` : OPERATIONS[role]
}
