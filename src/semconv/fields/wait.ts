import { ATTR } from '../attributes.js'
import { boolean, int, json, text } from '../field.js'

/** `wait_for_user`: waiting for a person. */
export const waitFields = {
  waitId: text(ATTR.waitId, 'The id of the wait, the same in each segment that it spans.'),
  reason: text(ATTR.waitReason, 'form_input, plan_review or tool_approval.'),
  resolution: text(ATTR.waitResolution, 'submitted, approved, refused, expired or cancelled.'),
  actor: text(ATTR.waitActor, 'Who answered.'),
  waitPlanId: text(ATTR.waitPlanId, 'The root plan that waits.'),
  title: text(ATTR.waitTitle, 'The title of the form.', { content: true }),
  waiting: boolean(ATTR.waitWaiting, 'Whether the answer is still awaited.'),
  formDescription: text(ATTR.waitFormDescription, 'What the person is asked.', { content: true }),
  formInputs: json(ATTR.waitFormInputs, 'The inputs of the form, a list of objects.', { content: true }),
  reviewAttempt: int(ATTR.reviewAttempt, 'Which attempt at the plan was reviewed, from 1.'),
  reviewAction: text(ATTR.reviewAction, 'ACCEPT_PLAN, REQUEST_CHANGES or ABORT.'),
  reviewFeedback: text(ATTR.reviewFeedback, 'What the reviewer said.', { content: true }),
} as const
