import { ATTR, EVENTS, isData, parseJson, type SpanEvent, type StoredSpan } from '../../semconv/index.js'

/** Whether a row carries a log record. Its parent is the span of the log record. */
export const isLogEvent = ({ attributes }: StoredSpan): boolean => attributes[ATTR.logEvent] === 'true'

/**
 * Returns a span with its log records as events behind its own ones, in order of time. A log record that repeats an
 * event is left out: some programs write both. A log record with the details of a model call is no event: it has the
 * attributes that the span would have if the program wrote content to spans.
 */
export function withLogEvents<Row extends StoredSpan>(span: Row, logs: readonly StoredSpan[]): Row {
  const events = [...span.events]
  let attributes: Attributes = span.attributes
  for (const log of logs.toSorted(byTime)) {
    for (const event of log.events) {
      const added = { ...event, attributes: withBody(event.attributes) }
      const { [ATTR.redactedFields]: redacted } = added.attributes
      if (added.name === EVENTS.inferenceDetails) attributes = { ...added.attributes, ...attributes }
      else if (!events.some((one) => repeats(added, one))) events.push(added)
      if (redacted !== undefined) attributes = { [ATTR.redactedFields]: redacted, ...attributes }
    }
  }
  return { ...span, events, attributes }
}

const byTime = (a: StoredSpan, b: StoredSpan): number =>
  a.startTimeUnixNano === b.startTimeUnixNano
    ? a.spanId < b.spanId
      ? -1
      : 1
    : a.startTimeUnixNano < b.startTimeUnixNano
      ? -1
      : 1

type Attributes = Readonly<Record<string, string>>

/** Older conventions write the values of an event into the body of the log record, as a map. */
function withBody({ [BODY]: body, ...attributes }: Attributes): Attributes {
  const data = body?.startsWith('{') ? parseJson(body) : undefined
  if (!isData(data)) return body === undefined ? attributes : { [BODY]: body, ...attributes }
  const texts = Object.entries(data).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return { ...Object.fromEntries(texts), ...attributes }
}

/** The attribute that holds the body of a log record. */
const BODY = 'body'

/** Whether two events of a span have the same name and the same values under the keys that both have. */
function repeats(event: SpanEvent<string>, other: SpanEvent<string>): boolean {
  if (event.name !== other.name) return false
  const shared = Object.keys(event.attributes).filter((key) => key in other.attributes)
  return shared.length > 0 && shared.every((key) => event.attributes[key] === other.attributes[key])
}
