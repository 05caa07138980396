import { PlanspanError } from '../../error.js'
import type { StoredSpan } from '../../semconv/index.js'
import { toStoredSpan, type SpanRow } from '../stored-span.js'

const NEWLINE = 0x0a

/**
 * The spans in the rows of `queries/read_traces.sql`, which come as JSON in lines and in pieces that end anywhere.
 * Throws `clickhouse_failed` for what is no row.
 */
export async function* readSpans(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StoredSpan[], void, undefined> {
  let begun: Uint8Array[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield parseLines([...begun, piece.subarray(0, end)])
      begun = []
    }
    if (end < piece.length) begun.push(piece.subarray(end))
  }
  if (begun.length > 0) throw noRow(Buffer.concat(begun).toString())
}

function parseLines(pieces: readonly Uint8Array[]): StoredSpan[] {
  const bytes = pieces.length === 1 && pieces[0] ? bufferOf(pieces[0]) : Buffer.concat(pieces)
  const spans: StoredSpan[] = []
  for (let from = 0, to = bytes.indexOf(NEWLINE); to >= 0; from = to + 1, to = bytes.indexOf(NEWLINE, from)) {
    spans.push(parseLine(bytes.toString('utf8', from, to)))
  }
  return spans
}

function parseLine(line: string): StoredSpan {
  let row: SpanRow & { TraceId: string }
  try {
    row = JSON.parse(line)
  } catch {
    throw noRow(line)
  }
  return toStoredSpan(row.TraceId, row)
}

const noRow = (text: string): PlanspanError =>
  new PlanspanError(
    'clickhouse_failed',
    `ClickHouse broke off its answer: ${JSON.stringify(text.slice(0, 300))}. Look into its log for more.`,
  )

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
