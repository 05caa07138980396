import { ByteQueue } from './byte-queue.js'
import { isSpace } from '../json/index.js'
import type { RecordBytes } from './record-splitter.js'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Cuts a stream into its lines as Python reads a text file's: each that is not blank is to be a record, whatever is in
 * it. A record's bytes run from the end of the one before it.
 */
export class LineSplitter {
  readonly #queue = new ByteQueue()
  /** Where the next line begins in the queue, and its number. */
  #at = 0
  #line = 1
  /** How far that line is scanned. */
  #scanned = 0

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk)
  }

  /** The next line; undefined where it takes more bytes, or where `isEnd` and there is no other. */
  next({ isEnd }: { readonly isEnd: boolean }): RecordBytes | undefined {
    for (;;) {
      const end = this.#endOfLine(isEnd)
      if (end === undefined) return undefined
      const line = this.#line++
      const isBlank = this.#queue.bytes.subarray(this.#at, end).every(isSpace)
      this.#at = isBlank ? end : 0
      this.#scanned = this.#at
      if (!isBlank) return { bytes: this.#queue.take(end), line, isBroken: false }
    }
  }

  /** Takes out the bytes that no record has been made of yet. */
  rest(): Uint8Array {
    return this.#queue.take(this.#queue.length)
  }

  #endOfLine(isEnd: boolean): number | undefined {
    const { bytes, length } = this.#queue
    for (; this.#scanned < length; this.#scanned++) {
      const byte = bytes[this.#scanned]
      if (byte === LINE_FEED) return this.#scanned + 1
      if (byte !== CARRIAGE_RETURN) continue
      const next = this.#scanned + 1
      if (next === length && !isEnd) return undefined
      return bytes[next] === LINE_FEED ? next + 1 : next
    }
    return isEnd && this.#at < length ? length : undefined
  }
}
