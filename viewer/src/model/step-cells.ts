import type { PlanJson } from 'planspan/client'

import type { State } from './words.js'

type Stepped = Pick<PlanJson, 'state' | 'stepCount' | 'stepsBegun' | 'stepsCompleted'>

/** Steps beside each other that stand alike; null for those that have not begun. */
export interface StepRun {
  readonly state: State | null
  readonly steps: number
}

/** The steps of a plan as far as it got: those that are done, those begun that stand as it does, and the rest. */
export function stepRuns({ state, stepCount, stepsBegun, stepsCompleted }: Stepped): StepRun[] {
  const runs: StepRun[] = [
    { state: 'completed', steps: stepsCompleted },
    // What is not done of a plan that is was left.
    { state: state === 'completed' ? 'cancelled' : state, steps: stepsBegun - stepsCompleted },
    { state: null, steps: stepCount - stepsBegun },
  ]
  return runs.filter(({ steps }) => steps > 0)
}

/** The same in words. */
export function stepsText({ stepCount, stepsBegun, stepsCompleted }: Stepped): string {
  const open = stepsBegun - stepsCompleted
  const begun = open > 0 ? `, ${open} more begun` : ''
  return `${stepsCompleted} of ${stepCount} ${stepCount === 1 ? 'step' : 'steps'} completed${begun}`
}
