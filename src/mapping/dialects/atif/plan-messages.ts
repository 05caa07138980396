import { decodeFields, encodeFields, eventFields, EVENTS, type SpanEvent } from '../../../semconv/index.js'
import type { EventDraft } from '../span-draft.js'
import { itemsOf, member, stringOf, type JsonNode } from '../../json/index.js'
import { isoOf, unixNanoOf } from '../../record-object/index.js'
import type { SpanObject } from './span-object.js'

/** Returns the messages recorded in a plan, besides its request and its answers. */
export function messagesOf(events: readonly SpanEvent<string>[]): SpanObject[] {
  return events
    .filter(({ name }) => name === EVENTS.message)
    .flatMap(({ timeUnixNano, attributes }) => {
      const { role, content } = decodeFields(eventFields, attributes)
      return content === undefined ? [] : [{ time: isoOf(timeUnixNano), role, content }]
    })
}

/** Reads such messages as events of a plan span. */
export const messageDrafts = (list: JsonNode | undefined): EventDraft[] =>
  itemsOf(list).map((message, seq) => ({
    name: EVENTS.message,
    time: unixNanoOf(stringOf(member(message, 'time')) ?? '', 'UTC'),
    attributes: encodeFields(eventFields, {
      seq,
      role: stringOf(member(message, 'role')),
      content: stringOf(member(message, 'content')),
    }),
  }))
