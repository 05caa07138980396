// The plans that the data is made of: planspan's own generated ones, as rows of the span table. Nine plans of ten are a
// live plan of about 50 spans that went well; the tenth is of any system and shape, and may have failed, wait or go on.
import { generatePlans } from '../../dist/generate/index.js'
import { ATTR } from '../../dist/semconv/index.js'
import { inTwoSegments } from './in-two-segments.mjs'

const PLANS = 1500
const SIZES = { least: 42, most: 58 }
const LONGEST_MS = 600_000
const RESUMED_EVERY = 25

/** Where each copy of a text gets words of its own, that it may take as much disk as a real one. */
const MARK = '§'
const CONTENT = new Set([ATTR.inputMessages, ATTR.outputMessages, ATTR.toolCallArguments, ATTR.toolCallResult])

const KINDS = { INTERNAL: 'Internal', CLIENT: 'Client' }
const STATUSES = { UNSET: 'Unset', OK: 'Ok', ERROR: 'Error' }

/** The templates' rows; the first `usual` templates are the nine of ten. */
export function templates(until, { foreign }) {
  const usual = []
  const any = []
  for (const plan of generatePlans({ plans: PLANS, days: 30, seed: 'density', until })) {
    if (isUsual(plan)) usual.push(usual.length % RESUMED_EVERY === 1 ? inTwoSegments(plan) : plan)
    else if (any.length < PLANS / 3) any.push(plan)
  }
  const plans = [...usual, ...any].map((plan, index) => (foreign && index % 2 === 1 ? inPlainConventions(plan) : plan))
  const rows = plans.flatMap(rowsOf).map((row, index) => ({ Row: index, ...row }))
  return { usual: usual.length, count: usual.length + any.length, rows }
}

/** As another instrumentation would tell it, in the GenAI conventions alone. */
const inPlainConventions = ({ service, spans }) => ({
  service,
  spans: spans.map((span) => ({
    ...span,
    attributes: Object.fromEntries(Object.entries(span.attributes).filter(([key]) => !key.startsWith('planspan.'))),
  })),
})

function isUsual({ spans }) {
  const root = rootOf(spans)
  const { [ATTR.recordDialect]: dialect, [ATTR.state]: state } = root.attributes
  const isShort = milliseconds(root.endTimeUnixNano - root.startTimeUnixNano) < LONGEST_MS
  const isOfSize = spans.length >= SIZES.least && spans.length <= SIZES.most
  return dialect === undefined && state === 'completed' && isShort && isOfSize
}

const rootOf = (spans) => spans.find(({ parentSpanId }) => parentSpanId === '') ?? spans[0]
const milliseconds = (nanos) => Number(nanos / 1_000_000n)

function rowsOf({ service, spans }, template) {
  const begin = spans.reduce((least, { startTimeUnixNano: start }) => (start < least ? start : least), 2n ** 63n)
  const end = spans.reduce((most, { endTimeUnixNano: end }) => (end > most ? end : most), 0n)
  const { [ATTR.planId]: planId = spans[0].traceId } = rootOf(spans).attributes
  return spans.map((span) => ({
    Template: template,
    TemplateDuration: String(end - begin),
    PlanId: planId,
    Offset: String(span.startTimeUnixNano - begin),
    Duration: String(span.endTimeUnixNano - span.startTimeUnixNano),
    TraceId: span.traceId,
    SpanId: span.spanId,
    ParentSpanId: span.parentSpanId,
    SpanName: span.name,
    SpanKind: KINDS[span.kind],
    ServiceName: service,
    ResourceAttributes: { 'service.name': service, 'host.name': 'host-1', 'telemetry.sdk.language': 'nodejs' },
    ScopeName: 'planspan',
    SpanAttributes: Object.fromEntries(
      Object.entries(textsOf(span.attributes)).map(([key, text]) => [key, CONTENT.has(key) ? marked(text) : text]),
    ),
    StatusCode: STATUSES[span.statusCode],
    StatusMessage: span.statusMessage,
    EventOffsets: span.events.map(({ timeUnixNano }) => String(timeUnixNano - begin)),
    EventNames: span.events.map(({ name }) => name),
    EventAttributes: span.events.map(({ attributes }) => textsOf(attributes)),
    LinkTraces: span.links.map(({ traceId }) => traceId),
    LinkSpans: span.links.map(({ spanId }) => spanId),
    LinkAttributes: span.links.map(({ attributes }) => textsOf(attributes)),
  }))
}

/** Attributes as a store has them, in the order in which planspan stores them. */
const textsOf = (attributes) =>
  Object.fromEntries(
    Object.entries(attributes)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  )

/** The mark stands in the last string of what is JSON, else at the end. */
function marked(text) {
  if (!/^[[{]/.test(text)) return `${text} ${MARK}`
  const at = text.lastIndexOf('":"')
  return at < 0 ? text : `${text.slice(0, at + 3)}${MARK} ${text.slice(at + 3)}`
}
