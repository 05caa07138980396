import type { PlanJson } from 'planspan/client'

import { stepRuns, stepsText } from '../model/step-cells.js'

/** The largest number of steps with a cell each. */
const MOST_CELLS = 24

/** A plan's progress through its steps: a cell per step, else one bar with numbers. */
export function StepBar({ plan }: { readonly plan: PlanJson }) {
  const { stepCount, stepsCompleted } = plan
  const text = stepsText(plan)
  const runs = stepRuns(plan)
  if (stepCount > MOST_CELLS) {
    return (
      <span class="step-bar plain" role="img" aria-label={text} title={text}>
        <span class="step-cells">
          {runs.map(({ state, steps }) => (
            <span key={state} data-state={state ?? 'none'} style={{ flexGrow: steps }} />
          ))}
        </span>
        <span class="number">
          {stepsCompleted}/{stepCount}
        </span>
      </span>
    )
  }
  return (
    <span class="step-bar" role="img" aria-label={text} title={text}>
      <span class={`step-cells${stepCount > 12 ? ' narrow' : ''}`}>
        {runs.flatMap(({ state, steps }) =>
          Array.from({ length: steps }, (_, at) => <span key={`${state} ${at}`} data-state={state ?? 'none'} />),
        )}
      </span>
    </span>
  )
}
