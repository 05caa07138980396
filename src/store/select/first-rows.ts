import { PlanspanError } from '../../error.js'

/** The beginning of an answer. */
export interface Selection {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
  /** The limit that cut the answer off; undefined for a complete answer. */
  readonly cut: 'rows' | 'bytes' | undefined
}

const NEWLINE = 0x0a
/** The maximum length of a row. */
const MAX_LINE_BYTES = 8 << 20

/**
 * Reads the beginning of an answer in JSONCompactEachRowWithNamesAndTypes, up to a number of rows and bytes. At least
 * one row is read.
 */
export async function firstRows(
  pieces: AsyncIterable<Uint8Array>,
  most: { readonly rows: number; readonly bytes: number },
): Promise<Selection> {
  const head: string[][] = []
  const rows: unknown[][] = []
  let bytes = 0
  let cut: Selection['cut']
  for await (const line of linesOf(pieces)) {
    const values = JSON.parse(line.toString()) as unknown[]
    if (head.length < 2) {
      head.push(values as string[])
      continue
    }
    if (rows.length === most.rows) cut = 'rows'
    else if (rows.length > 0 && bytes + line.length > most.bytes) cut = 'bytes'
    if (cut) break
    rows.push(values)
    bytes += line.length
  }
  const [names = [], types = []] = head
  return { columns: names.map((name, at) => ({ name, type: types[at] ?? '' })), rows, cut }
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let begun: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    let from = 0
    for (let to = piece.indexOf(NEWLINE); to >= 0; to = piece.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...begun, piece.subarray(from, to)])
      begun = []
      length = 0
      from = to + 1
      if (line.length > 0) yield line
    }
    begun.push(piece.subarray(from))
    length += piece.length - from
    if (length > MAX_LINE_BYTES) {
      throw new PlanspanError(
        'usage',
        `A row of the answer is larger than ${MAX_LINE_BYTES >> 20} MiB. Select fewer columns, or only the beginning of texts: substring(Result, 1, 1000).`,
      )
    }
  }
}
