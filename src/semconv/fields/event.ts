import { ATTR } from '../attributes.js'
import { int, json, text } from '../field.js'

/** Span events that stand for the events of a stream, in the order of `seq`. */
export const eventFields = {
  seq: int(ATTR.seq, 'Position in the stream or list of events, from 0.'),
  eventId: text(ATTR.eventId, 'The id of the event.'),
  streamId: text(ATTR.eventStreamId, 'The id that the stream gave the event, where it is another.'),
  timestamp: text(ATTR.eventTimestamp, 'The time as the event writes it: ISO 8601, or seconds since the Unix epoch.'),
  type: text(ATTR.eventType, 'What kind of event it is, where its name does not tell.'),
  eventStatus: text(ATTR.eventStatus, 'The event’s own status, where it does not follow from the rest.'),
  status: text(ATTR.status, 'The status then, where it is not the usual one of a beginning.'),
  data: json(ATTR.eventData, 'What else the event says.', { content: true }),
  role: text(ATTR.messageRole, 'Who speaks: user or assistant.'),
  content: text(ATTR.messageContent, 'What is said.', { content: true }),
  contentIn: text(ATTR.messageContentIn, 'Where the content stands instead, on the plan: request or summary.'),
  messageAttachments: json(ATTR.messageAttachments, 'The files that come with it, a list of objects.', {
    content: true,
  }),
  sessionTitle: text(ATTR.sessionTitle, 'A new title, where it is not the one of the plan.', { content: true }),
  error: text(ATTR.exceptionMessage, 'What went wrong.', { content: true }),
} as const
