import { pagePath, type SpanJson } from 'planspan/client'
import { ATTR } from 'virtual:planspan-names'

import { parsed } from '../model/messages.js'
import { route } from '../url/route.js'
import { Messages } from './model-view.js'
import { Pairs, Section, TextSection } from './section.js'

/** A plan or a version of it: the request, the steps and the result. */
export function PlanView({ span }: { readonly span: SpanJson }) {
  const { attributes } = span
  const steps = parsed(attributes[ATTR.planSteps] ?? '')
  const current = Number(attributes[ATTR.planCurrentStepIndex] ?? Number.NaN)
  return (
    <>
      <PlanLinks span={span} />
      <Messages title="Request" json={attributes[ATTR.inputMessages]} />
      <TextSection title="Reason for replanning" text={attributes[ATTR.planUpdateReason]} />
      {Array.isArray(steps) && steps.length > 0 && (
        <Section title="Steps">
          <ol class="steps">
            {steps.map((step, index) => (
              <li key={index} aria-current={index === current ? 'step' : undefined}>
                {String(step)}
              </li>
            ))}
          </ol>
        </Section>
      )}
      <TextSection title="Summary" text={attributes[ATTR.planSummary]} />
      <Messages title="Result" json={attributes[ATTR.outputMessages]} />
      <Pairs
        pairs={[
          ['Version', attributes[ATTR.planRevision]],
          ['Token budget', attributes[ATTR.budgetTokens]],
          ['Cost budget', attributes[ATTR.budgetCostUsd] && `$${attributes[ATTR.budgetCostUsd]}`],
        ]}
      />
    </>
  )
}

/** Links to a sub-plan's page and to its parent plan's page, if these are other pages. */
function PlanLinks({ span: { attributes } }: { readonly span: SpanJson }) {
  const shown = route.value
  if (shown.page !== 'plan' || attributes[ATTR.spanKind] !== 'plan') return null
  const { [ATTR.planId]: own = '', [ATTR.planParentId]: parent = '' } = attributes
  const links = [
    ['Page of this plan', own],
    ['Parent plan', parent],
  ].filter(([, planId]) => planId !== '' && planId !== shown.name.planId)
  if (links.length === 0) return null
  return (
    <p class="plan-links">
      {links.map(([title, planId = '']) => (
        <a key={planId} class="button" href={pagePath({ ...shown.name, planId })} title={planId}>
          {title}
        </a>
      ))}
    </p>
  )
}
