import { ByteQueue } from './byte-queue.js'
import { isSpace } from '../json/index.js'
import type { RecordBytes } from './record-splitter.js'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Splits a stream into lines, as Python reads text files. Each line that is not blank is a record, whether valid or
 * not. A record's bytes begin where the previous record ended.
 */
export class LineSplitter {
  readonly #queue = new ByteQueue()
  /** Where the next line begins in the queue, and its number. */
  #at = 0
  #line = 1
  /** How much of that line is scanned. */
  #scanned = 0

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk)
  }

  /** Returns the next line. Undefined if it needs more bytes or, with `isEnd`, if there is no other. */
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

  /** Removes the bytes that belong to no record yet. */
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
