import { append } from '../../base/append.js'
import {
  ATTR,
  decodeFields,
  EVENTS,
  exceptionFields,
  type Role,
  type StoredSpan,
  UNTYPED_ERROR,
} from '../../semconv/index.js'
import type { SpanNode } from './span-node.js'
import { compare } from './span-order.js'

/** An error of a span. It has a class, a message, or both. */
export interface SpanError {
  readonly span: StoredSpan
  readonly type: string | undefined
  readonly message: string | undefined
  /** When it was raised, or when its span ended, Unix nanoseconds. */
  readonly time: bigint
}

interface SpanWithErrors {
  readonly span: StoredSpan
}

/**
 * Returns the errors of a span: each exception event, and the error of the span itself. Its class is `error.type`. Its
 * message is `planspan.error.message`, else that of the last exception, else the status text.
 */
export function errorsOf({ span }: SpanWithErrors): readonly SpanError[] {
  const { [ATTR.errorType]: errorType, [ATTR.errorMessage]: errorMessage } = span.attributes
  if (
    errorType === undefined &&
    errorMessage === undefined &&
    span.statusCode !== 'ERROR' &&
    span.events.length === 0
  ) {
    return NO_ERRORS
  }
  const raised = exceptionsOf({ span })
  const own = { span, type: errorType, message: ownMessageOf(span), time: span.endTimeUnixNano }
  if (raised.length === 0) return distinct([own])
  return distinct(errorMessage ? [...raised, own] : raised)
}

/** An exception event of a span. */
export interface RaisedError extends SpanError {
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * Returns each exception event of a span, also those of equal text. The last one has the class and the message of the
 * span if it has none of its own.
 */
export function exceptionsOf({ span }: SpanWithErrors): RaisedError[] {
  const raised = span.events
    .filter(({ name }) => name === EVENTS.exception)
    .map(({ attributes, timeUnixNano: time }): RaisedError => {
      const { type, message } = decodeFields(RAISED, attributes)
      return { span, type, message: message || undefined, time, attributes }
    })
  const last = raised.pop()
  if (!last) return raised
  const { [ATTR.errorType]: errorType } = span.attributes
  const namedType = errorType === UNTYPED_ERROR ? undefined : errorType
  raised.push({ ...last, type: last.type ?? namedType, message: last.message ?? ownMessageOf(span) })
  return raised
}

function ownMessageOf({ attributes, statusCode, statusMessage }: StoredSpan): string | undefined {
  return attributes[ATTR.errorMessage] || (statusCode === 'ERROR' ? statusMessage : '') || undefined
}

const NO_ERRORS: readonly SpanError[] = []
const RAISED = { type: exceptionFields.type, message: exceptionFields.message }

/**
 * Returns the distinct errors of a node and of the nodes below it, by end time. Nodes with the roles in `apart` are
 * left out, with everything below them.
 */
export function errorsWithin(root: SpanNode, apart: readonly Role[]): SpanError[] {
  const errors: SpanError[] = []
  const pending = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    append(errors, errorsOf(node))
    for (const child of node.children) if (!child.role || !apart.includes(child.role)) pending.push(child)
  }
  return distinct(errors.sort((a, b) => compare(a.span.endTimeUnixNano, b.span.endTimeUnixNano)))
}

/** Returns the message of an error or, without a message, its class. Empty if the error has neither. */
export const errorText = ({ type, message }: SpanError): string =>
  message ?? (type === UNTYPED_ERROR ? '' : (type ?? ''))

/** The messages of errors, one per line. Undefined without errors. */
export const errorTexts = (errors: readonly SpanError[]): string | undefined =>
  errors.length === 0 ? undefined : [...new Set(errors.map(errorText))].join('\n')

/** Returns the text of a span's errors, one per line. Empty without errors. */
export const errorTextOf = (node: SpanWithErrors): string => errorTexts(errorsOf(node)) ?? ''

/** Removes repeated errors: an error that is rethrown by several spans counts once. */
function distinct(errors: readonly SpanError[]): SpanError[] {
  const found = new Map<string, SpanError>()
  for (const error of errors) {
    const said = errorText(error)
    if (said !== '' && !found.has(said)) found.set(said, error)
  }
  return [...found.values()]
}
