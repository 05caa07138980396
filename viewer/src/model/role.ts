import type { StructureJson } from 'planspan/client'

export type Role = NonNullable<StructureJson['spans'][number][2]>

/** The names of the roles. */
const ROLE_WORDS: Readonly<Record<Role, string>> = {
  plan: 'Plan',
  planning: 'Planning',
  wait: 'Wait',
  agent: 'Agent',
  think_act: 'Cycle',
  llm: 'Model call',
  guardrail: 'Judgement',
  tool: 'Tool call',
}
export const roleWord = (role: Role | null): string => (role === null ? 'Span' : ROLE_WORDS[role])
