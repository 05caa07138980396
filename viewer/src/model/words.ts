import type { PlanJson } from 'planspan/client'

import type { Role } from './row.js'

export type State = PlanJson['state']

export const STATES: readonly State[] = [
  'planning',
  'running',
  'updating',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
]

/** Whether a plan in this state may still change by itself. */
export const isGoingOn = (state: State): boolean => !['completed', 'failed', 'cancelled'].includes(state)

/** Whether time goes by for what is in this state: an interrupted plan's stands still. */
export const isMoving = (state: State): boolean => isGoingOn(state) && state !== 'interrupted'

/** What a role is called. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
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
