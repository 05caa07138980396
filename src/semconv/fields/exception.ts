import { ATTR } from '../attributes.js'
import { boolean, int, text } from '../field.js'

/** `exception` events of a cycle: an error that one of its actions raised. */
export const exceptionFields = {
  seq: int(ATTR.seq, 'Position in the list of errors, from 0.'),
  type: text(ATTR.exceptionType, 'The class of the error.'),
  message: text(ATTR.exceptionMessage, 'What it said.', { content: true }),
  timestamp: text(ATTR.actionTimestamp, 'When it was raised, as the record writes it.'),
  action: text(ATTR.actionText, 'The action that raised it.', { content: true }),
  actionIsText: boolean(ATTR.actionIsText, 'True when the action looks like JSON and is text.'),
} as const
