import {
  decodeFields,
  encodeFields,
  EVENTS,
  exceptionFields,
  type FieldValues,
  type SpanEvent,
} from '../../../semconv/index.js'
import type { EventDraft } from '../span-draft.js'
import { itemsOf, type JsonNode, type JsonObject } from '../../json/index.js'
import { readAction, writeAction } from './action.js'
import { OBJECTS } from './era.js'
import { instantOf } from './stamps.js'

/** One of the errors of a step. */
interface StepError {
  readonly values: FieldValues<typeof exceptionFields>
  /** Unix nanoseconds, if known. */
  readonly time: bigint | undefined
}

/** Reads the `errors[]` of a step. */
export const stepErrors = (errors: JsonNode | undefined, timeZone: string): StepError[] =>
  itemsOf(errors).flatMap((error, index) => (error.kind === 'object' ? [stepError(error, index, timeZone)] : []))

function stepError(error: JsonObject, seq: number, timeZone: string): StepError {
  const { exception: values, parts } = OBJECTS.stepError.read(error)
  const action = readAction(parts.action)
  return {
    values: { seq, ...values, action: action?.text, actionIsText: action?.isText || undefined },
    time: instantOf(values.timestamp, timeZone),
  }
}

/** Reads the `errors[]` of a step as exception events. */
export const errorEvents = (errors: JsonNode | undefined, timeZone: string): EventDraft[] =>
  stepErrors(errors, timeZone).map(({ values, time }) => ({
    name: EVENTS.exception,
    time,
    attributes: encodeFields(exceptionFields, values),
  }))

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
