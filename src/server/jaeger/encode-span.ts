import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf'

import { SpanKind, SpanSchema, StatusCode } from '../../otlp/trace_pb.js'
import type { FinalSpan } from '../../store/index.js'
import { toKeyValues } from './attributes.js'
import { toUnixNano } from './times.js'

/** The largest span: Jaeger accepts messages of up to 4 MB, which also hold the span's resource. */
export const MAX_SPAN_BYTES = 3_000_000
const MAX_STATUS_TEXT = 10_000

const KINDS: ReadonlyMap<string, SpanKind> = new Map([
  ['Internal', SpanKind.INTERNAL],
  ['Server', SpanKind.SERVER],
  ['Client', SpanKind.CLIENT],
  ['Producer', SpanKind.PRODUCER],
  ['Consumer', SpanKind.CONSUMER],
])
/** The attribute that Jaeger shows as a span's warnings. */
const WARNINGS = '@jaeger@warnings'

/** The limits to which a span is cut. */
interface Cut {
  /** The largest length of an attribute's text, in characters. */
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

/** Encodes a span as OTLP protobuf. If it is too large for Jaeger, its longest texts are cut and a warning is added. */
export function encodeSpan(span: FinalSpan): Uint8Array {
  let bytes = encode(span, WHOLE)
  for (const cut of CUTS) {
    if (bytes.length <= MAX_SPAN_BYTES) return bytes
    bytes = encode(span, cut, warningOf(cut))
  }
  return bytes
}

function warningOf({ maxLength, maxEvents }: Cut): string {
  const others = Number.isFinite(maxEvents) ? ` and the first ${String(maxEvents)} events and links` : ''
  return `Too large for Jaeger: of each text the first ${String(maxLength)} characters${others} are shown.`
}

const encode = (span: FinalSpan, cut: Cut, warning?: string): Uint8Array =>
  toBinary(SpanSchema, create(SpanSchema, toMessage(span, cut, warning)))

function toMessage(
  span: FinalSpan,
  { maxLength, maxEvents, maxLinks }: Cut,
  warning: string | undefined,
): MessageInitShape<typeof SpanSchema> {
  const warnings = warning === undefined ? [] : toKeyValues({ [WARNINGS]: warning }, warning.length)
  return {
    traceId: idBytes(span.traceId, 16),
    spanId: idBytes(span.spanId, 8),
    traceState: span.traceState,
    parentSpanId: idBytes(span.parentSpanId, 8),
    name: span.name,
    kind: KINDS.get(span.kind) ?? SpanKind.UNSPECIFIED,
    startTimeUnixNano: toUnixNano(span.startTimeUnixNano),
    endTimeUnixNano: toUnixNano(span.endTimeUnixNano),
    attributes: [...toKeyValues(span.attributes, maxLength), ...warnings],
    events: span.events.slice(0, maxEvents).map(({ timeUnixNano, name, attributes }) => ({
      timeUnixNano: toUnixNano(timeUnixNano),
      name,
      attributes: toKeyValues(attributes, maxLength),
    })),
    links: span.links.slice(0, maxLinks).map(({ traceId, spanId, attributes }) => ({
      traceId: idBytes(traceId, 16),
      spanId: idBytes(spanId, 8),
      attributes: toKeyValues(attributes, maxLength),
    })),
    status: { code: StatusCode[span.statusCode], message: span.statusMessage.slice(0, MAX_STATUS_TEXT) },
  }
}

/** The bytes of an id; none for an id of another length, for which Jaeger would refuse the whole trace. */
function idBytes(hex: string, length: 8 | 16): Uint8Array {
  const bytes = Buffer.from(hex, 'hex')
  return bytes.length === length ? bytes : new Uint8Array()
}
