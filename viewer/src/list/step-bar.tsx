import type { PlanJson } from 'planspan/client'

import { stepRuns, stepsText } from '../model/step-cells.js'

/** So many steps have a cell each. */
const MOST_CELLS = 24

/** How far a plan got with its steps: a cell a step, else one bar and the numbers. */
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
