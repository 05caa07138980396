import type { PlanJson } from 'planspan/client'

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
