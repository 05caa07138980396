import { ANY_VALUE, field, KEY_VALUE, message, type Field, type Message } from './schema.js'

const attributes = (number: number, dropped = false) =>
  field(number, 'attributes', 'message', { message: KEY_VALUE, repeated: true, dropped })

const droppedCount = (number: number, name: string) => field(number, name, 'uint32', { dropped: true })

const EVENT = message('Event', [
  field(1, 'timeUnixNano', 'time'),
  field(2, 'name', 'string'),
  attributes(3),
  droppedCount(4, 'droppedAttributesCount'),
])

const LINK = message('Link', [
  field(1, 'traceId', 'id16'),
  field(2, 'spanId', 'id8'),
  field(3, 'traceState', 'string'),
  attributes(4),
  droppedCount(5, 'droppedAttributesCount'),
  field(6, 'flags', 'fixed32', { dropped: true }),
])

const STATUS = message('Status', [
  field(2, 'message', 'string'),
  field(3, 'code', 'enum', { names: { STATUS_CODE_UNSET: 0, STATUS_CODE_OK: 1, STATUS_CODE_ERROR: 2 } }),
])

const SPAN_KINDS = {
  SPAN_KIND_UNSPECIFIED: 0,
  SPAN_KIND_INTERNAL: 1,
  SPAN_KIND_SERVER: 2,
  SPAN_KIND_CLIENT: 3,
  SPAN_KIND_PRODUCER: 4,
  SPAN_KIND_CONSUMER: 5,
}

const SPAN = message('Span', [
  field(1, 'traceId', 'traceId'),
  field(2, 'spanId', 'spanId'),
  field(3, 'traceState', 'string'),
  field(4, 'parentSpanId', 'id8'),
  field(5, 'name', 'string'),
  field(6, 'kind', 'enum', { names: SPAN_KINDS }),
  field(7, 'startTimeUnixNano', 'startTime'),
  field(8, 'endTimeUnixNano', 'endTime'),
  attributes(9),
  droppedCount(10, 'droppedAttributesCount'),
  field(11, 'events', 'message', { message: EVENT, repeated: true }),
  droppedCount(12, 'droppedEventsCount'),
  field(13, 'links', 'message', { message: LINK, repeated: true }),
  droppedCount(14, 'droppedLinksCount'),
  field(15, 'status', 'message', { message: STATUS }),
  field(16, 'flags', 'fixed32', { dropped: true }),
])

const scope = (dropped: boolean) =>
  message('InstrumentationScope', [
    field(1, 'name', 'string'),
    field(2, 'version', 'string'),
    attributes(3, dropped),
    droppedCount(4, 'droppedAttributesCount'),
  ])

/** The names of the severities, four each. */
const SEVERITIES = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((name) => [
  name,
  ...[2, 3, 4].map((step) => `${name}${step}`),
])

const LOG_RECORD = message('LogRecord', [
  field(1, 'timeUnixNano', 'startTime'),
  field(2, 'severityNumber', 'enum', {
    names: Object.fromEntries(['UNSPECIFIED', ...SEVERITIES].map((name, at) => [`SEVERITY_NUMBER_${name}`, at])),
  }),
  field(3, 'severityText', 'string'),
  field(5, 'body', 'message', { message: ANY_VALUE }),
  attributes(6),
  droppedCount(7, 'droppedAttributesCount'),
  field(8, 'flags', 'fixed32'),
  field(9, 'traceId', 'id16'),
  field(10, 'spanId', 'id8'),
  field(11, 'observedTimeUnixNano', 'observedTime'),
  field(12, 'eventName', 'string'),
])

export const RESOURCE = message('Resource', [attributes(1), droppedCount(2, 'droppedAttributesCount')])

/** The messages of a signal's request. */
export interface RequestSchema {
  readonly request: Message
  /** The messages around the items of a request. */
  readonly holders: ReadonlySet<Message>
  /** A span, a log record or a metric's data point. */
  readonly item: Message
  /** The keys of the lists in OTLP/JSON. */
  readonly keys: { readonly resources: string; readonly scopes: string; readonly items: string }
}

/** Declares the messages of a request, which are alike in all signals but for the names and the schema URLs. */
function requestSchema(
  [request, resources, scopes]: readonly [request: string, resources: string, scopes: string],
  items: Field,
  item: Message,
  { dropped }: { readonly dropped: boolean },
): RequestSchema {
  const schemaUrl = field(3, 'schemaUrl', 'string', { dropped })
  const key = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)
  const inScope = message(scopes, [field(1, 'scope', 'message', { message: scope(dropped) }), items, schemaUrl])
  const inResource = message(resources, [
    field(1, 'resource', 'message', { message: RESOURCE }),
    field(2, key(scopes), 'message', { message: inScope, repeated: true }),
    schemaUrl,
  ])
  const whole = message(request, [field(1, key(resources), 'message', { message: inResource, repeated: true })])
  const keys = { resources: key(resources), scopes: key(scopes), items: items.name }
  return { request: whole, item, keys, holders: new Set([whole, inResource, inScope]) }
}

export const TRACES = requestSchema(
  ['ExportTraceServiceRequest', 'ResourceSpans', 'ScopeSpans'],
  field(2, 'spans', 'message', { message: SPAN, repeated: true }),
  SPAN,
  { dropped: true },
)

export const LOGS = requestSchema(
  ['ExportLogsServiceRequest', 'ResourceLogs', 'ScopeLogs'],
  field(2, 'logRecords', 'message', { message: LOG_RECORD, repeated: true }),
  LOG_RECORD,
  { dropped: false },
)

const DATA_POINT = message('NumberDataPoint', [])

/** A metric. Only the number of its data points is read. */
const METRIC = message(
  'Metric',
  Object.entries({ gauge: 5, sum: 7, histogram: 9, exponentialHistogram: 10, summary: 11 }).map(([name, number]) =>
    field(number, name, 'message', {
      message: message(name, [field(1, 'dataPoints', 'message', { message: DATA_POINT, repeated: true })]),
    }),
  ),
)

export const METRICS = requestSchema(
  ['ExportMetricsServiceRequest', 'ResourceMetrics', 'ScopeMetrics'],
  field(2, 'metrics', 'message', { message: METRIC, repeated: true }),
  DATA_POINT,
  { dropped: true },
)

/** The members, as bits; an array element needs at least one of them, or ClickHouse's JSONExtract drops it. */
export const ELEMENT_MEMBERS: ReadonlyMap<Message, number> = new Map(
  [KEY_VALUE, EVENT, LINK, LOG_RECORD].map((message) => [
    message,
    message.fields
      .filter(({ stored, kind }) => stored && kind !== 'message')
      .reduce((bits, { number }) => bits | (1 << number), 0),
  ]),
)
