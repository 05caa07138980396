import { decodeFields, encodeFields, EVENTS, exceptionFields, type SpanEvent } from '../../../semconv/index.js'
import type { EventDraft } from '../span-draft.js'
import { itemsOf, type JsonNode, type JsonObject } from '../../json/index.js'
import { readAction, writeAction } from './action.js'
import { OBJECTS } from './era.js'
import { instantOf } from './stamps.js'

/** Reads the `errors[]` of a step as exception events. */
export function errorEvents(errors: JsonNode | undefined, timeZone: string): EventDraft[] {
  return itemsOf(errors).flatMap((error, index) =>
    error.kind === 'object' ? [errorEvent(error, index, timeZone)] : [],
  )
}

function errorEvent(error: JsonObject, seq: number, timeZone: string): EventDraft {
  const { exception: values, parts } = OBJECTS.stepError.read(error)
  const action = readAction(parts.action)
  return {
    name: EVENTS.exception,
    time: instantOf(values.timestamp, timeZone),
    attributes: encodeFields(exceptionFields, {
      seq,
      ...values,
      action: action?.text,
      actionIsText: action?.isText || undefined,
    }),
  }
}

/** Writes the `errors[]` of a step from its events. */
export function writeErrors(events: readonly SpanEvent<string>[]): JsonNode | undefined {
  const errors = events.filter(({ name }) => name === EVENTS.exception).map(writeError)
  return errors.length > 0 ? { kind: 'array', items: errors } : undefined
}

function writeError({ attributes }: SpanEvent<string>): JsonObject {
  const values = decodeFields(exceptionFields, attributes)
  const { seq, action, actionIsText } = values
  const object = OBJECTS.stepError.write({ exception: values, parts: { action: writeAction(action, actionIsText) } })
  return seq === undefined ? object : { ...object, slot: seq }
}
