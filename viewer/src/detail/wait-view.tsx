import { ATTR } from 'virtual:planspan-names'

import { durationText } from '../model/quantity.js'
import { now } from '../parts/now.js'
import type { SpanProps } from './role-view.js'
import { Pairs, TextSection } from './section.js'

const REASONS: Readonly<Record<string, string>> = {
  form_input: 'for a person to fill in a form',
  plan_review: 'for a person to review the plan',
  tool_approval: 'for a person to approve a tool call',
}

/** A wait: its reason, its duration, who answered and how. */
export function WaitView({ node: { row }, span: { attributes } }: SpanProps) {
  const reason = attributes[ATTR.waitReason] ?? ''
  const isWaiting = row.state === 'waiting'
  return (
    <>
      <p class="judgement" data-judgement={isWaiting ? 'waiting' : 'safe'}>
        {isWaiting
          ? `Waits ${REASONS[reason] ?? 'for a person'}, for ${durationText(Math.max(row.duration, now.value - row.start))} now`
          : `Waited ${REASONS[reason] ?? 'for a person'}, for ${durationText(row.duration)}`}
      </p>
      <TextSection title="Question" text={attributes[ATTR.waitTitle]} />
      <TextSection title="Form" text={attributes[ATTR.waitFormDescription]} />
      <TextSection title="Fields" text={attributes[ATTR.waitFormInputs]} />
      <Pairs
        pairs={[
          ['Answer', attributes[ATTR.reviewAction] ?? attributes[ATTR.waitResolution]],
          ['By', attributes[ATTR.waitActor]],
          ['Attempt', attributes[ATTR.reviewAttempt]],
        ]}
      />
      <TextSection title="Feedback" text={attributes[ATTR.reviewFeedback]} />
    </>
  )
}
