import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import type { FinalSpan } from '../../store/index.js'
import { writeAttributes } from './write-attributes.js'

/** What may be said of one span: Jaeger takes 4 MB in one message, and the span's resource is in it as well. */
export const MAX_SPAN_BYTES = 3_000_000

const KINDS = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer']
const STATUS_CODES = { UNSET: 0, OK: 1, ERROR: 2 } as const
/** The attribute in which Jaeger keeps what it shows as a span's warnings. */
const WARNINGS = '@jaeger@warnings'

/** How much of a span is written. */
interface Cut {
  /** Characters of one attribute's text. */
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

/** A span as OTLP's protobuf. One that is too large for Jaeger has its longest texts cut and a warning that says so. */
export function spanBytes(span: FinalSpan): Uint8Array {
  let bytes = writeSpan(span, WHOLE)
  for (const cut of CUTS) {
    if (bytes.length <= MAX_SPAN_BYTES) return bytes
    bytes = writeSpan(span, cut, warningOf(cut))
  }
  return bytes
}

function warningOf({ maxLength, maxEvents }: Cut): string {
  const others = Number.isFinite(maxEvents) ? ` and the first ${String(maxEvents)} events and links` : ''
  return `Too large for Jaeger: of each text the first ${String(maxLength)} characters${others} are shown.`
}

function writeSpan(span: FinalSpan, cut: Cut, warning?: string): Uint8Array {
  const writer = new BinaryWriter()
  writeId(writer, 1, span.traceId, 16)
  writeId(writer, 2, span.spanId, 8)
  if (span.traceState !== '') writer.tag(3, WireType.LengthDelimited).string(span.traceState)
  writeId(writer, 4, span.parentSpanId, 8)
  writer.tag(5, WireType.LengthDelimited).string(span.name)
  writer.tag(6, WireType.Varint).int32(Math.max(0, KINDS.indexOf(span.kind)))
  writeTime(writer, 7, span.startTimeUnixNano)
  writeTime(writer, 8, span.endTimeUnixNano)
  writeAttributes(writer, 9, span.attributes, cut.maxLength)
  if (warning !== undefined) writeAttributes(writer, 9, { [WARNINGS]: warning }, warning.length)
  for (const event of span.events.slice(0, cut.maxEvents)) {
    writer.tag(11, WireType.LengthDelimited).fork()
    writeTime(writer, 1, event.timeUnixNano)
    writer.tag(2, WireType.LengthDelimited).string(event.name)
    writeAttributes(writer, 3, event.attributes, cut.maxLength)
    writer.join()
  }
  for (const link of span.links.slice(0, cut.maxLinks)) {
    writer.tag(13, WireType.LengthDelimited).fork()
    writeId(writer, 1, link.traceId, 16)
    writeId(writer, 2, link.spanId, 8)
    writeAttributes(writer, 4, link.attributes, cut.maxLength)
    writer.join()
  }
  writer.tag(15, WireType.LengthDelimited).fork()
  if (span.statusMessage !== '') writer.tag(2, WireType.LengthDelimited).string(span.statusMessage.slice(0, 10_000))
  writer.tag(3, WireType.Varint).int32(STATUS_CODES[span.statusCode]).join()
  return writer.finish()
}

/** An id of another length is left out: Jaeger would refuse the whole trace for it. */
function writeId(writer: BinaryWriter, field: number, hex: string, length: 8 | 16): void {
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length === length) writer.tag(field, WireType.LengthDelimited).bytes(bytes)
}

const writeTime = (writer: BinaryWriter, field: number, time: bigint) =>
  writer.tag(field, WireType.Bit64).fixed64(time > 0n ? time : 0n)
