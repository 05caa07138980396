/** Whole lines of an export, and what their beginnings tell. */
export interface RecordLines {
  /** Each with its line break. */
  readonly text: Buffer
  /** How many there are. */
  readonly count: number
  /** How many tell a problem instead of a record. */
  readonly problems: number
  /** The cursor behind the last one. */
  readonly cursor: string
}

const NEWLINE = 0x0a
const CURSOR = /^\{"cursor":"([\w-]+)"/
/** A plan's id is limited by the receiver to a length that this holds. */
const HEAD_BYTES = 8_192
const PROBLEM = /^\{"cursor":"[\w-]+","planId":"(?:[^"\\]|\\.)*","traceId":"[^"]*","problem":/

/** Cuts an export that comes in pieces into whole lines; one that has no end is dropped. */
export async function* recordLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<RecordLines, void, undefined> {
  let begun: Uint8Array[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield told(Buffer.concat([...begun, piece.subarray(0, end)]))
      begun = []
    }
    if (end < piece.length) begun.push(piece.subarray(end))
  }
}

function told(text: Buffer): RecordLines {
  let [count, problems, cursor] = [0, 0, '']
  for (let from = 0; from < text.length; from = text.indexOf(NEWLINE, from) + 1) {
    const head = text.toString('utf8', from, Math.min(text.length, from + HEAD_BYTES))
    count++
    if (PROBLEM.test(head)) problems++
    cursor = cursorOf(head) ?? cursor
  }
  return { text, count, problems, cursor }
}

/** The cursor of a line of an export, by its beginning; undefined for a line of something else. */
export const cursorOf = (line: string): string | undefined => CURSOR.exec(line)?.[1]
