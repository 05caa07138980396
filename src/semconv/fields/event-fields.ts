import { again, finite, json, text } from '../field.js'
import { thinkActFields } from './agent-fields.js'
import { outcomeFields } from './environment-fields.js'
import { everySpanFields } from './every-span-fields.js'
import { planFields } from './plan-fields.js'
import { toolFields } from './tool-fields.js'
import { waitFields } from './wait-fields.js'

/** Span events that represent the events of a stream, in the order of `seq`. */
export const eventFields = {
  seq: again(everySpanFields.seq, 'Position in the stream or list of events, from 0.'),
  eventId: text('planspan.event.id', 'The id of the event.', { structural: true }),
  streamId: text('planspan.event.stream_id', 'The id of the event in its stream, if it differs.', {
    structural: true,
  }),
  timestamp: text(
    'planspan.event.timestamp',
    'The time as the event writes it: ISO 8601, or seconds since the Unix epoch.',
    { structural: true },
  ),
  type: text('planspan.event.type', 'The type of the event, if its name does not determine it.', { structural: true }),
  eventStatus: text('planspan.event.status', 'The event’s own status, if it does not follow from the rest.', {
    structural: true,
  }),
  status: again(everySpanFields.status, 'The status at that time, if it is not the default one.'),
  data: json('planspan.event.data', 'Other values of the event.', { content: true }),
  role: text('planspan.message.role', 'The speaker: user or assistant.', { structural: true }),
  content: text('planspan.message.content', 'The content of the message.', { content: true }),
  contentIn: text(
    'planspan.message.content_in',
    'Which field of the plan has the content instead: request or summary.',
    {
      structural: true,
    },
  ),
  messageAttachments: json('planspan.message.attachments', 'The attached files, a list of objects.', {
    content: true,
  }),
  contentParts: json('planspan.message.content_parts', 'The content of the message, as a list of parts.', {
    content: true,
  }),
  observation: json('planspan.message.observation', 'What was observed then, an object.', { content: true }),
  copied: again(thinkActFields.copied, 'Whether the step was copied from an earlier trajectory, as context.'),
  modelCalls: again(thinkActFields.modelCalls, 'How many model calls the record says it took.'),
  sessionTitle: again(planFields.sessionTitle, 'A new title, if it differs from the plan’s.'),
  unreadTimes: everySpanFields.unreadTimes,
  error: text('exception.message', 'What went wrong.', { content: true }),
} as const

/** An `exception` event: an error of a span and, in a trajectory, the action that raised it. */
export const exceptionFields = {
  seq: again(everySpanFields.seq, 'Position in the list of errors of a trajectory’s step, from 0.'),
  type: text('exception.type', 'The class of the error.', { structural: true }),
  message: eventFields.error,
  stacktrace: text('exception.stacktrace', 'Where it was thrown.', { content: true }),
  timestamp: again(outcomeFields.actionTimestamp, 'When, as the record writes it.'),
  unreadTimes: everySpanFields.unreadTimes,
  action: text('planspan.action.text', 'The action that failed.', { content: true }),
  actionIsText: again(toolFields.actionIsText, 'True when the action looks like JSON and is text.'),
} as const

/** A `gen_ai.evaluation.result` event of a cycle: a risk assessment in the GenAI conventions. */
export const evaluationFields = {
  name: text('gen_ai.evaluation.name', 'The quality that was judged: risk.'),
  scoreValue: finite('gen_ai.evaluation.score.value', 'The risk score.'),
  scoreLabel: text('gen_ai.evaluation.score.label', 'safe or unsafe.'),
  explanation: text('gen_ai.evaluation.explanation', 'Why.', { content: true }),
} as const

/** A `planspan.review` event: one decision on a plan. */
export const reviewFields = {
  attempt: waitFields.reviewAttempt,
  action: waitFields.reviewAction,
  feedback: waitFields.reviewFeedback,
  actor: again(waitFields.actor, 'Who decided, if recorded.'),
} as const
