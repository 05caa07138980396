import { pagePath } from 'planspan/client'

import { type ComparedPlan, planLetter, signed } from '../model/compared.js'
import { costText, countText, durationText, riskText, wholeCount } from '../model/quantity.js'
import { StateMark } from '../parts/state-mark.js'
import { fullTime, shortTime } from '../parts/zone.js'
import type { CompareStore } from './compare-store.js'
import { linkTo } from '../url/base.js'

type Figure = {
  [Key in keyof ComparedPlan]: ComparedPlan[Key] extends number | null ? Key : never
}[keyof ComparedPlan]

interface Column {
  readonly figure: Figure
  readonly title: string
  readonly write: (value: number) => string
}

const COLUMNS: readonly Column[] = [
  { figure: 'durationMs', title: 'Duration', write: durationText },
  { figure: 'tokens', title: 'Tokens', write: countText },
  { figure: 'costUsd', title: 'Cost', write: costText },
  { figure: 'failures', title: 'Failed', write: wholeCount },
  { figure: 'risk', title: 'Risk', write: riskText },
  { figure: 'unsafe', title: 'Unsafe', write: wholeCount },
  { figure: 'unsafeStopped', title: 'Stopped', write: wholeCount },
  { figure: 'unsafeTaken', title: 'Unsafe, but done', write: wholeCount },
  { figure: 'judged', title: 'Judged', write: wholeCount },
  { figure: 'steps', title: 'Steps', write: wholeCount },
  { figure: 'agents', title: 'Agents', write: wholeCount },
  { figure: 'cycles', title: 'Cycles', write: wholeCount },
  { figure: 'modelCalls', title: 'Model calls', write: wholeCount },
  { figure: 'toolCalls', title: 'Tool calls', write: wholeCount },
  { figure: 'waits', title: 'Waits', write: wholeCount },
  { figure: 'subPlans', title: 'Sub-plans', write: wholeCount },
]

/** The totals of each plan, and their differences from the first. */
export function TotalsTable({ store }: { readonly store: CompareStore }) {
  const plans = store.compared.value?.plans ?? []
  const [base] = plans
  const columns = COLUMNS.filter(({ figure }) => plans.some((plan) => plan[figure]))
  if (!base) return null
  return (
    <div class="totals-area" tabIndex={0} role="group" aria-label="Totals">
      <table class="totals">
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col">State</th>
            {columns.map(({ figure, title }) => (
              <th key={figure} scope="col" colSpan={2}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plans.map((plan, index) => (
            <tr key={index}>
              <th scope="row">
                <PlanHeading store={store} plan={plan} index={index} />
              </th>
              <td>
                <StateMark state={plan.state} />
              </td>
              {columns.map((column) => (
                <Total key={column.figure} plan={plan} base={base} column={column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PlanHeadingProps {
  readonly store: CompareStore
  readonly plan: ComparedPlan
  readonly index: number
}

function PlanHeading({ store, plan, index }: PlanHeadingProps) {
  const { names, other } = store
  const isChoice = names.length > 2 && index > 0
  return (
    <span class="plan-heading">
      {isChoice ? (
        <button
          type="button"
          class="letter"
          aria-pressed={index === other.value}
          aria-label={`Compare ${planLetter(index)} with ${planLetter(0)}`}
          title={`Compare with ${planLetter(0)}`}
          onClick={() => store.show(index)}
        >
          {planLetter(index)}
        </button>
      ) : (
        <span class="letter">{planLetter(index)}</span>
      )}
      <a href={linkTo(pagePath(names[index] ?? { planId: plan.id }))} title={plan.id}>
        {plan.title ?? plan.id}
      </a>
      <span class="muted number" title={fullTime(Date.parse(plan.startTime))}>
        {shortTime(Date.parse(plan.startTime))}
      </span>
    </span>
  )
}

interface TotalProps {
  readonly plan: ComparedPlan
  readonly base: ComparedPlan
  readonly column: Column
}

function Total({ plan, base, column: { figure, write } }: TotalProps) {
  const [before, value] = [base[figure], plan[figure]]
  const isWrong = (figure === 'failures' || figure === 'unsafeTaken') && value !== null && value > 0
  const more = value === null || before === null ? '' : signed(value - before, write)
  return (
    <>
      <td class={`number${value === null || value === 0 ? ' muted' : ''}`}>
        <span class={isWrong ? 'failures' : undefined}>{value === null ? '–' : write(value)}</span>
      </td>
      <td class="more-by">{more}</td>
    </>
  )
}
