import type { PlanJson } from 'planspan/client'

import type { State } from './words.js'

type Stepped = Pick<PlanJson, 'state' | 'stepCount' | 'stepsBegun' | 'stepsCompleted'>

/** Adjacent steps with the same state; null for steps that have not started. */
export interface StepRun {
  readonly state: State | null
  readonly steps: number
}

/** Groups the steps of a plan: completed steps, started steps in the plan's state, and the rest. */
export function stepRuns({ state, stepCount, stepsBegun, stepsCompleted }: Stepped): StepRun[] {
  const runs: StepRun[] = [
    { state: 'completed', steps: stepsCompleted },
    // The incomplete steps of a completed plan were skipped.
    { state: state === 'completed' ? 'cancelled' : state, steps: stepsBegun - stepsCompleted },
    { state: null, steps: stepCount - stepsBegun },
  ]
  return runs.filter(({ steps }) => steps > 0)
}

/** Describes the same in words. */
export function stepsText({ stepCount, stepsBegun, stepsCompleted }: Stepped): string {
  const open = stepsBegun - stepsCompleted
  const begun = open > 0 ? `, ${open} more begun` : ''
  return `${stepsCompleted} of ${stepCount} ${stepCount === 1 ? 'step' : 'steps'} completed${begun}`
}
