import { append, appendTo } from '../../base/append.js'
import { PlanspanError } from '../../error.js'
import type { StoredSpan, SpanEvent, SpanLink, StatusCode } from '../../semconv/index.js'

/** Reads the spans of a query with `fragments/span_row.sql`. Throws `clickhouse_failed` for an invalid row. */
export async function* readSpans(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StoredSpan[], void, undefined> {
  for await (const rows of parseRows<SpanRow>(pieces)) yield rows.map(toStoredSpan)
}

/** Collects all spans of an answer. Throws as `readSpans` does. */
export async function collectSpans(pieces: AsyncIterable<Uint8Array>): Promise<StoredSpan[]> {
  const spans: StoredSpan[] = []
  for await (const found of readSpans(pieces)) append(spans, found)
  return spans
}

/** Collects the spans of an answer by trace. Spans of a trace in which a plan goes on are in the plan's first trace. */
export async function collectTraces(pieces: AsyncIterable<Uint8Array>): Promise<Map<string, StoredSpan[]>> {
  const traces = new Map<string, StoredSpan[]>()
  for await (const rows of parseRows<SpanRow>(pieces)) {
    for (const row of rows) appendTo(traces, row[PLAN_TRACE] || row[0], toStoredSpan(row))
  }
  return traces
}

/** The position of a plan's first trace in a row, if plans go on in other traces. */
const PLAN_TRACE = 19

type Attributes = Record<string, string>

/**
 * A row with the columns of `fragments/span_row.sql` in their order. Nanoseconds since the Unix epoch are decimal text.
 */
export type SpanRow = readonly [
  traceId: string,
  spanId: string,
  parentSpanId: string,
  name: string,
  kind: string,
  serviceName: string,
  scopeName: string,
  start: string,
  end: string,
  statusCode: string,
  statusMessage: string,
  resourceAttributes: Attributes,
  attributes: Attributes,
  eventTimes: readonly string[],
  eventNames: readonly string[],
  eventAttributes: readonly Attributes[],
  linkTraceIds: readonly string[],
  linkSpanIds: readonly string[],
  linkAttributes: readonly Attributes[],
  ...others: string[],
]

const STATUS_CODES: Readonly<Record<string, StatusCode>> = { Ok: 'OK', Error: 'ERROR' }

/** Converts a row of the span table to a span. */
export function toStoredSpan(row: SpanRow): StoredSpan {
  const [traceId, spanId, parentSpanId, name, kind, serviceName, scopeName, start, end, statusCode, statusMessage] = row
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startTimeUnixNano: BigInt(start),
    endTimeUnixNano: BigInt(end),
    statusCode: STATUS_CODES[statusCode] ?? 'UNSET',
    statusMessage,
    attributes: row[12],
    events: eventsOf(row),
    links: linksOf(row),
    serviceName,
    scopeName,
    resourceAttributes: row[11],
  }
}

const eventsOf = ({ 13: times, 14: names, 15: attributes }: SpanRow): SpanEvent<string>[] =>
  times.map((time, i) => ({ timeUnixNano: BigInt(time), name: names[i] ?? '', attributes: attributes[i] ?? {} }))

const linksOf = ({ 16: traceIds, 17: spanIds, 18: attributes }: SpanRow): SpanLink<string>[] =>
  traceIds.map((traceId, i) => ({ traceId, spanId: spanIds[i] ?? '', attributes: attributes[i] ?? {} }))

const NEWLINE = 0x0a

/**
 * Parses an answer of JSON lines whose chunks end anywhere, and yields the complete rows of each chunk. Throws
 * `clickhouse_failed` for an invalid row.
 */
export async function* parseRows<Row>(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Row[], void, undefined> {
  let begun: Uint8Array[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield parseLines<Row>([...begun, piece.subarray(0, end)])
      begun = []
    }
    if (end < piece.length) begun.push(piece.subarray(end))
  }
  if (begun.length > 0) throw invalidRow(Buffer.concat(begun).toString())
}

function parseLines<Row>(pieces: readonly Uint8Array[]): Row[] {
  const bytes = pieces.length === 1 && pieces[0] ? bufferOf(pieces[0]) : Buffer.concat(pieces)
  const rows: Row[] = []
  for (let from = 0, to = bytes.indexOf(NEWLINE); to >= 0; from = to + 1, to = bytes.indexOf(NEWLINE, from)) {
    rows.push(parseLine(bytes.toString('utf8', from, to)))
  }
  return rows
}

function parseLine<Row>(line: string): Row {
  try {
    return JSON.parse(line)
  } catch {
    throw invalidRow(line)
  }
}

const invalidRow = (text: string): PlanspanError =>
  new PlanspanError(
    'clickhouse_failed',
    `The answer of ClickHouse is cut off: ${JSON.stringify(text.slice(0, 300))}. See its log for the reason.`,
  )

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
