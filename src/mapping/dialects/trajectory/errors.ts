import { ATTR, type AttributeValue, EVENTS, type SpanEvent, toWellFormed } from '../../../semconv/index.js'
import type { EventDraft } from '../../draft.js'
import { itemsOf, jsonString, member, stringOf, type JsonNode, type JsonObject } from '../../json/node.js'
import { readAction, writeAction } from './action.js'
import { presentObject } from './present.js'
import { instantOf } from './times.js'

const TEXT_ATTRIBUTES = {
  type: ATTR.exceptionType,
  message: ATTR.exceptionMessage,
  timestamp: ATTR.actionTimestamp,
} as const

/** The `errors[]` of a step as exception events. */
export function errorEvents(errors: JsonNode | undefined, timeZone: string): EventDraft[] {
  return itemsOf(errors).flatMap((error, index) =>
    error.kind === 'object' ? [errorEvent(error, index, timeZone)] : [],
  )
}

function errorEvent(error: JsonObject, index: number, timeZone: string): EventDraft {
  const attributes: Record<string, AttributeValue> = { [ATTR.seq]: index }
  for (const [key, attribute] of Object.entries(TEXT_ATTRIBUTES)) {
    const text = stringOf(member(error, key))
    if (text !== undefined) attributes[attribute] = toWellFormed(text)
  }
  const action = readAction(member(error, 'action'))
  if (action) attributes[ATTR.actionText] = toWellFormed(action.text)
  if (action?.isText) attributes[ATTR.actionIsText] = true
  return { name: EVENTS.exception, time: instantOf(stringOf(member(error, 'timestamp')), timeZone), attributes }
}

/** The `errors[]` that a step's events tell. */
export function writeErrors(events: readonly SpanEvent<string>[]): JsonNode | undefined {
  const errors = events.filter(({ name }) => name === EVENTS.exception).map(writeError)
  return errors.length > 0 ? { kind: 'array', items: errors } : undefined
}

function writeError({ attributes }: SpanEvent<string>): JsonObject {
  const text = (key: string): JsonNode | undefined => {
    const value = attributes[key]
    return value === undefined ? undefined : jsonString(value)
  }
  const entries = {
    type: text(TEXT_ATTRIBUTES.type),
    message: text(TEXT_ATTRIBUTES.message),
    timestamp: text(TEXT_ATTRIBUTES.timestamp),
    action: writeAction(attributes[ATTR.actionText], attributes[ATTR.actionIsText] === 'true'),
  }
  const slot = Number(attributes[ATTR.seq] ?? Number.NaN)
  const object = presentObject(entries) ?? { kind: 'object', members: [] }
  return Number.isSafeInteger(slot) ? { ...object, slot } : object
}
