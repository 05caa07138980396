import { errorTextOf } from '../../mapping/index.js'
import {
  Span_EventSchema,
  Span_LinkSchema,
  SpanKind,
  SpanSchema,
  StatusCode,
  StatusSchema,
} from '../../otlp/trace_pb.js'
import type { FinalSpan, UnsafeAction } from '../../store/index.js'
import { booleanValue, textListValue, writeAttribute, writeAttributes } from './span-attributes.js'
import { toUnixNano } from './timestamps.js'
import { fieldNumbers, WireWriter } from './wire-writer.js'

const SPAN = fieldNumbers(SpanSchema)
const EVENT = fieldNumbers(Span_EventSchema)
const LINK = fieldNumbers(Span_LinkSchema)
const STATUS = fieldNumbers(StatusSchema)

/** The maximum size of a span, bytes. Jaeger accepts messages of up to 4 MB, including the span's resource. */
const MAX_SPAN_BYTES = 3_000_000
const MAX_STATUS_TEXT = 10_000
/** Ids of another length are omitted, because Jaeger would reject the whole trace. */
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8

const KINDS: ReadonlyMap<string, SpanKind> = new Map([
  ['Internal', SpanKind.INTERNAL],
  ['Server', SpanKind.SERVER],
  ['Client', SpanKind.CLIENT],
  ['Producer', SpanKind.PRODUCER],
  ['Consumer', SpanKind.CONSUMER],
])

/** The limits for cutting a span. */
interface Cut {
  /** The maximum length of an attribute's text, characters. */
  readonly maxLength: number
  readonly maxEvents: number
  readonly maxLinks: number
}

const WHOLE: Cut = {
  maxLength: Number.POSITIVE_INFINITY,
  maxEvents: Number.POSITIVE_INFINITY,
  maxLinks: Number.POSITIVE_INFINITY,
}
const CUTS: readonly Cut[] = [
  { ...WHOLE, maxLength: 100_000 },
  { maxLength: 10_000, maxEvents: 100, maxLinks: 100 },
  { maxLength: 100, maxEvents: 10, maxLinks: 10 },
]

/**
 * Encodes a span as OTLP protobuf, with warnings about its plan, and a mark if a risk was taken or stopped. If it is
 * too large for Jaeger, its longest texts are cut and a warning is added.
 */
export function encodeSpan(span: FinalSpan): Uint8Array {
  const warnings = warningsOf(span)
  let bytes = encode(span, WHOLE, warnings)
  for (const cut of CUTS) {
    if (bytes.length <= MAX_SPAN_BYTES) return bytes
    bytes = encode(span, cut, [...warnings, cutWarning(cut)])
  }
  return bytes
}

const warningsOf = ({ isOpen, remarks = [], unsafeAction }: FinalSpan): string[] => [
  ...(isOpen ? ['This span has not ended. It is shown up to its last sign of life.'] : []),
  ...remarks,
  ...(unsafeAction ? [riskWarning(unsafeAction)] : []),
]

function cutWarning({ maxLength, maxEvents }: Cut): string {
  const others = Number.isFinite(maxEvents) ? ` and the first ${String(maxEvents)} events and links` : ''
  return `Too large for Jaeger: of each text the first ${String(maxLength)} characters${others} are shown.`
}

function encode(span: FinalSpan, { maxLength, maxEvents, maxLinks }: Cut, warnings: readonly string[]): Uint8Array {
  const writer = new WireWriter()
  writer.hex(SPAN.traceId, span.traceId, TRACE_ID_BYTES)
  writer.hex(SPAN.spanId, span.spanId, SPAN_ID_BYTES)
  writer.text(SPAN.traceState, span.traceState)
  writer.hex(SPAN.parentSpanId, span.parentSpanId, SPAN_ID_BYTES)
  writer.text(SPAN.name, span.name)
  writer.number(SPAN.kind, KINDS.get(span.kind) ?? SpanKind.UNSPECIFIED)
  writer.fixed64(SPAN.startTimeUnixNano, toUnixNano(span.startTimeUnixNano))
  writer.fixed64(SPAN.endTimeUnixNano, toUnixNano(span.endTimeUnixNano))
  writeAttributes(writer, SPAN.attributes, span.attributes, maxLength)
  if (warnings.length > 0) writeAttribute(writer, SPAN.attributes, WARNINGS, textListValue(warnings))
  // Failed spans have that tag from Jaeger itself.
  const isMarked = span.unsafeAction !== undefined && span.statusCode !== 'ERROR'
  if (isMarked) writeAttribute(writer, SPAN.attributes, ERROR, booleanValue(true))
  for (const { timeUnixNano, name, attributes } of span.events.slice(0, maxEvents)) {
    writer.message(SPAN.events, () => {
      writer.fixed64(EVENT.timeUnixNano, toUnixNano(timeUnixNano))
      writer.text(EVENT.name, name)
      writeAttributes(writer, EVENT.attributes, attributes, maxLength)
    })
  }
  for (const { traceId, spanId, attributes } of span.links.slice(0, maxLinks)) {
    writer.message(SPAN.links, () => {
      writer.hex(LINK.traceId, traceId, TRACE_ID_BYTES)
      writer.hex(LINK.spanId, spanId, SPAN_ID_BYTES)
      writeAttributes(writer, LINK.attributes, attributes, maxLength)
    })
  }
  writer.message(SPAN.status, () => {
    writer.text(STATUS.message, (span.statusMessage || errorTextOf({ span })).slice(0, MAX_STATUS_TEXT))
    writer.number(STATUS.code, StatusCode[span.statusCode])
  })
  return writer.take()
}

/** The attribute that Jaeger shows as the warnings of an open span: a list of texts, to which it adds its own. */
const WARNINGS = '@jaeger@warnings'

/** The attribute that makes Jaeger mark a span red in the tree. Jaeger has no mark for warnings. */
const ERROR = 'error'

/** Describes the outcome of an unsafe action. */
function riskWarning({ taken, tool }: UnsafeAction): string {
  const action = tool === '' ? 'an action' : tool
  return taken
    ? `A risk was taken: ${action} ran although this guardrail found it unsafe.`
    : `This guardrail stopped ${action}.`
}
