import type { PlanJson } from 'planspan/client'

export type State = PlanJson['state']

/** Of every state whether a plan in it may still change by itself. */
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

/** Whether time goes by for what is in this state: an interrupted plan's stands still. */
export const isMoving = (state: State): boolean => isGoingOn(state) && state !== 'interrupted'
