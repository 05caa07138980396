import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

const LINE_FEED = 0x0a

/** A range of bytes in a file. */
export interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** Reads a range of a file; fewer bytes if the file has become shorter. */
export async function* bytesOf(path: string, { from, to }: Range): AsyncGenerator<Uint8Array> {
  if (to <= from) return
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 })) yield chunk as Uint8Array
}

/** Reads the last bytes before an offset; fewer at the start, or if the file has become shorter. */
export async function bytesBefore(path: string, at: number, length: number): Promise<Buffer> {
  const from = Math.max(0, at - length)
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(at - from), 0, at - from, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whether a range of a file ends with a line feed. */
export const endsLine = async (path: string, to: number): Promise<boolean> =>
  (await bytesBefore(path, to, 1))[0] === LINE_FEED

/** Returns the offset of the nth line in a range, from 1. */
export async function lineStart(path: string, range: Range, line: number): Promise<number> {
  let at = range.from
  let left = line - 1
  for await (const chunk of bytesOf(path, range)) {
    for (let next = 0; left > 0; left--) {
      next = chunk.indexOf(LINE_FEED, next) + 1
      if (next === 0) break
      if (left === 1) return at + next
    }
    at += chunk.length
  }
  return line === 1 ? range.from : range.to
}

/** A running digest of a file from its start: its SHA-256 and its number of lines. */
export class Digested {
  readonly #hash: Hash = createHash('sha256')
  lines = 0

  async add(path: string, range: Range): Promise<void> {
    for await (const chunk of bytesOf(path, range)) {
      this.#hash.update(chunk)
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) this.lines++
    }
  }

  /** The SHA-256 of all added bytes, hex. */
  get digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
