import type { SpanJson } from 'planspan/client'
import { ATTR } from 'virtual:planspan-names'

import { Messages } from './model-view.js'
import { Pairs, TextSection } from './section.js'

/** An agent: its request, its answer and its number of cycles. */
export function AgentView({ span: { attributes } }: { readonly span: SpanJson }) {
  const rounds = attributes[ATTR.agentCurrentStep]
  const most = attributes[ATTR.agentMaxSteps]
  return (
    <>
      <Messages title="Request" json={attributes[ATTR.inputMessages]} />
      <Messages title="Result" json={attributes[ATTR.outputMessages]} />
      <Pairs
        pairs={[
          ['Model', attributes[ATTR.requestModel]],
          ['Step', attributes[ATTR.stepIndex] && String(Number(attributes[ATTR.stepIndex]) + 1)],
          ['Cycles', rounds && (most === undefined ? rounds : `${rounds} of ${most} at most`)],
        ]}
      />
      <TextSection title="Description" text={attributes[ATTR.agentDescription]} />
    </>
  )
}
