import { again, int, json, text } from '../field.js'
import { planFields } from './plan-fields.js'
import { toolFields } from './tool-fields.js'

/** `wait_for_user`: waiting for a person. */
export const waitFields = {
  waitId: text('planspan.wait.id', 'The id of the wait, the same in each segment that it spans.', {
    structural: true,
  }),
  reason: text('planspan.wait.reason', 'form_input, plan_review or tool_approval.', {
    structural: true,
    fewValues: true,
  }),
  resolution: text('planspan.wait.resolution', 'submitted, approved, refused, expired or cancelled.', {
    structural: true,
  }),
  actor: text('planspan.wait.actor', 'Who answered.'),
  waitPlanId: text('planspan.wait.plan_id', 'The root plan that waits.', { structural: true }),
  title: text('planspan.wait.title', 'The title of the form.', { content: true }),
  waiting: again(planFields.waiting, 'Whether the wait still needs an answer.'),
  formDescription: text('planspan.wait.form_description', 'The question to the person.', { content: true }),
  formInputs: json('planspan.wait.form_inputs', 'The inputs of the form, a list of objects.', { content: true }),
  toolName: again(toolFields.name, 'The tool whose call waits for approval, or for its result.'),
  callId: again(toolFields.callId, 'The id of that call.'),
  arguments: again(toolFields.arguments, 'The arguments of that call.'),
  answer: text('planspan.wait.answer', 'What the person answered, if it is a text.', { content: true }),
  formAnswers: json('planspan.wait.form_answers', 'The inputs of the form as the person filled them in.', {
    content: true,
  }),
  reviewAttempt: int('planspan.review.attempt', 'Which attempt at the plan was reviewed, from 1.'),
  reviewAction: text('planspan.review.action', 'ACCEPT_PLAN, REQUEST_CHANGES or ABORT.', { structural: true }),
  reviewFeedback: text('planspan.review.feedback', 'What the reviewer said.', { content: true }),
} as const
