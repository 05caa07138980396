import { PlanspanError } from '../../error.js'

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
