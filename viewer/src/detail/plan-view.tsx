import type { SpanJson } from 'planspan/client'
import { ATTR } from 'virtual:planspan-names'

import { parsed } from '../model/messages.js'
import { Messages } from './model-view.js'
import { Pairs, Section, TextSection } from './section.js'

/** A plan or a version of it: what was asked, the steps, what came of it. */
export function PlanView({ span: { attributes } }: { readonly span: SpanJson }) {
  const steps = parsed(attributes[ATTR.planSteps] ?? '')
  const current = Number(attributes[ATTR.planCurrentStepIndex] ?? Number.NaN)
  return (
    <>
      <Messages title="Request" json={attributes[ATTR.inputMessages]} />
      <TextSection title="Why it was planned anew" text={attributes[ATTR.planUpdateReason]} />
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
