/** Complete lines of an export. */
export interface RecordLines {
  /** The lines, each with its line break. */
  readonly text: Buffer
  /** The number of lines. */
  readonly count: number
  /** The number of lines with a problem instead of a record. */
  readonly problems: number
  /** The cursor of the last line. */
  readonly cursor: string
}

const NEWLINE = 0x0a
const CURSOR = /^\{"cursor":"([\w-]+)"/
/** Longer than any line up to its "problem", since the receiver limits the length of plan ids. */
const HEAD_BYTES = 8_192
const PROBLEM = /^\{"cursor":"[\w-]+","planId":"(?:[^"\\]|\\.)*","traceId":"[^"]*","problem":/

/** Cuts chunks of an export into complete lines; an incomplete last line is dropped. */
export async function* recordLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<RecordLines, void, undefined> {
  let rest: Uint8Array[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield describeLines(Buffer.concat([...rest, piece.subarray(0, end)]))
      rest = []
    }
    if (end < piece.length) rest.push(piece.subarray(end))
  }
}

function describeLines(text: Buffer): RecordLines {
  let [count, problems, cursor] = [0, 0, '']
  for (let from = 0; from < text.length; from = text.indexOf(NEWLINE, from) + 1) {
    const head = text.toString('utf8', from, Math.min(text.length, from + HEAD_BYTES))
    count++
    if (PROBLEM.test(head)) problems++
    cursor = cursorOf(head) ?? cursor
  }
  return { text, count, problems, cursor }
}

/** Returns the cursor at the start of a line; undefined for other lines. */
export const cursorOf = (line: string): string | undefined => CURSOR.exec(line)?.[1]
