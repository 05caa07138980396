import { ATTR } from 'virtual:planspan-names'

import { parsed } from '../model/messages.js'
import { riskText } from '../model/quantity.js'
import type { Judgement } from '../model/row.js'
import type { SpanProps } from './role-view.js'
import { Pairs, Section, TextSection } from './section.js'

const WORDS: Readonly<Record<Judgement, string>> = {
  safe: 'Judged safe',
  unsafe: 'Judged unsafe; unknown whether the action ran',
  stopped: 'Judged unsafe, and stopped',
  taken: 'Taken although unsafe',
}

/** A judgement: its risk, the violated policies, and the fate of the action. */
export function GuardrailView({ node: { row }, span: { attributes } }: SpanProps) {
  const policies = parsed(attributes[ATTR.riskViolatedPolicyIds] ?? '[]')
  const by = attributes[ATTR.guardrailName]
  return (
    <>
      {row.judgement !== null && (
        <p class="judgement" data-judgement={row.judgement}>
          {WORDS[row.judgement]}
          {by !== undefined && <span class="muted"> by {by}</span>}
        </p>
      )}
      {row.risk !== null && (
        <div class="scale" role="img" aria-label={`Risk ${riskText(row.risk)} of 1`}>
          <span class="scale-mark" style={{ left: `${Math.min(1, Math.max(0, row.risk)) * 100}%` }}>
            {riskText(row.risk)}
          </span>
        </div>
      )}
      {Array.isArray(policies) && policies.length > 0 && (
        <Section title="Violated policies">
          <ul class="chips">
            {policies.map((policy) => (
              <li key={String(policy)}>{String(policy)}</li>
            ))}
          </ul>
        </Section>
      )}
      <TextSection title="Explanation" text={attributes[ATTR.riskExplanation]} />
      <TextSection title="World model’s explanation" text={attributes[ATTR.worldModelRiskExplanation]} />
      <TextSection title="Predicted change" text={attributes[ATTR.worldModelSemanticDelta]} />
      <TextSection title="Changed elements" text={attributes[ATTR.worldModelElementChanges]} />
      <TextSection title="Long-term impact" text={attributes[ATTR.worldModelLongTermImpact]} />
      <TextSection title="Advice" text={attributes[ATTR.worldModelOptimizationGuidance]} />
      <TextSection title="Judged action" text={attributes[ATTR.toolCallArguments]} />
      <TextSection title="Stopped calls" text={attributes[ATTR.riskStoppedCalls]} />
      <Pairs
        pairs={[
          ['Tool', attributes[ATTR.toolName]],
          ['World model’s risk', attributes[ATTR.worldModelRiskScore]],
          ['Task alignment', attributes[ATTR.riskTaskAlignment]],
          ['Why', attributes[ATTR.riskTaskAlignmentExplanation]],
        ]}
      />
    </>
  )
}
