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
 * Returns the name of a span: the operation and, if known, a low-cardinality subject (workflow, agent, model,
 * guardrail, tool). Never a title, a request or an id.
 */
export function spanName(role: Role, subject?: string): string {
  return subject ? `${OPERATIONS[role]} ${subject}` : OPERATIONS[role]
}
