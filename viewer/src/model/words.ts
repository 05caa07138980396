import type { PlanJson, StructureJson } from 'planspan/client'

export type State = PlanJson['state']

/** Whether a plan in each state can still change. */
const MAY_CHANGE: Readonly<Record<State, boolean>> = {
  planning: true,
  running: true,
  updating: true,
  waiting: true,
  completed: false,
  failed: false,
  cancelled: false,
  interrupted: true,
}
export const STATES = Object.keys(MAY_CHANGE) as readonly State[]

export const mayChange = (state: State): boolean => MAY_CHANGE[state]

/** Whether time passes in a state; for an interrupted plan it does not. */
export const isMoving = (state: State): boolean => mayChange(state) && state !== 'interrupted'

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
