import type { PlanJson } from 'planspan/client'

export type State = PlanJson['state']

/** Whether a plan in each state may still change by itself. */
const GOES_ON: Readonly<Record<State, boolean>> = {
  planning: true,
  running: true,
  updating: true,
  waiting: true,
  completed: false,
  failed: false,
  cancelled: false,
  interrupted: true,
}
export const STATES = Object.keys(GOES_ON) as readonly State[]

export const isGoingOn = (state: State): boolean => GOES_ON[state]

/** Whether time passes in a state; for an interrupted plan it does not. */
export const isMoving = (state: State): boolean => isGoingOn(state) && state !== 'interrupted'
