import { ByteQueue } from './byte-queue.js'
import { isSpace, ValueScanner } from '../json/index.js'

/** The bytes of one record in a stream. */
export interface RecordBytes {
  readonly bytes: Uint8Array
  /** The line on which the value starts, from 1. */
  readonly line: number
  /**
   * Whether the bytes end where they stop being valid JSON. The bytes from there to the start of the next record are
   * left out.
   */
  readonly isBroken: boolean
}

const LINE_FEED = 0x0a
const OPEN_BRACE = 0x7b
const LONGEST_CHARACTER = 4
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const

/**
 * Splits a stream of JSON documents into records. It holds one record at a time. A record's bytes begin where the
 * previous record ended and include the end of its own line. The last record includes everything after it. After a
 * broken record, the next record begins at the next line that starts with `{`, as in JSON lines and indented files.
 */
export class RecordSplitter {
  readonly #queue = new ByteQueue()
  #phase: 'before' | 'value' | 'line' | 'after' | 'lost' = 'before'
  #scanner = new ValueScanner()
  /** How much of the queue is scanned. */
  #at = 0
  /** The line of the queue's first byte. */
  #line = 1
  #valueStart = 0
  /** The end of the record that is complete but not yet returned. */
  #cut = 0
  #broken: RecordBytes | undefined
  /** Whether `#at` is the start of a line, while searching for the next record. */
  #isLineStart = false
  #isAtStart = true

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk)
  }

  /** Returns the next record. Undefined if it needs more bytes or, with `isEnd`, if there is no other. */
  next({ isEnd }: { readonly isEnd: boolean }): RecordBytes | undefined {
    const queue = this.#queue
    if (!this.#skipByteOrderMark(isEnd)) return undefined
    while (this.#at < queue.length) {
      const found = this.#step()
      if (found) return found
    }
    return isEnd ? this.#last() : undefined
  }

  /** Removes the bytes that belong to no record yet. */
  rest(): Uint8Array {
    return this.#queue.take(this.#queue.length)
  }

  #step(): RecordBytes | undefined {
    const { bytes, length } = this.#queue
    if (this.#phase === 'before' || this.#phase === 'after') {
      while (this.#at < length && isSpace(bytes[this.#at] ?? 0)) this.#at++
      if (this.#at === length) return undefined
      return this.#phase === 'after' ? this.#emit(this.#cut) : this.#startValue()
    }
    if (this.#phase === 'value') {
      this.#at = this.#scanner.feed(bytes, this.#at, length)
      if (this.#scanner.status === 'done') this.#phase = 'line'
      else if (this.#scanner.status === 'broken') this.#lose(this.#at + LONGEST_CHARACTER)
      return undefined
    }
    return this.#phase === 'line' ? this.#endLine() : this.#find()
  }

  #startValue(): undefined {
    this.#scanner = new ValueScanner()
    this.#valueStart = this.#at
    this.#phase = 'value'
  }

  /** Scans the rest of the value's line: white space and a line feed. */
  #endLine(): undefined {
    const { bytes, length } = this.#queue
    while (this.#at < length) {
      const byte = bytes[this.#at] ?? 0
      if (byte !== LINE_FEED && isSpace(byte)) this.#at++
      else {
        if (byte === LINE_FEED) this.#at++
        this.#cut = this.#at
        this.#phase = 'after'
        return
      }
    }
  }

  #emit(end: number): RecordBytes {
    const line = this.#line + this.#newlines(0, this.#valueStart)
    const found = { bytes: this.#drop(end), line, isBroken: false }
    this.#phase = 'before'
    return found
  }

  /** Removes bytes from the queue and moves the scan position accordingly. */
  #drop(end: number): Uint8Array {
    this.#line += this.#newlines(0, end)
    this.#at -= Math.min(this.#at, end)
    return this.#queue.take(end)
  }

  /** Keeps the start of a broken record, and searches for the next record from its second byte. */
  #lose(end: number): void {
    const line = this.#line + this.#newlines(0, this.#valueStart)
    this.#broken = { bytes: this.#queue.bytes.slice(0, end), line, isBroken: true }
    this.#drop(this.#valueStart + 1)
    this.#at = 0
    this.#isLineStart = false
    this.#phase = 'lost'
  }

  #find(): RecordBytes | undefined {
    const { bytes, length } = this.#queue
    while (this.#at < length) {
      if (this.#isLineStart && bytes[this.#at] === OPEN_BRACE) {
        this.#drop(this.#at)
        return this.#takeBroken()
      }
      const newline = bytes.indexOf(LINE_FEED, this.#at)
      this.#isLineStart = newline !== -1
      this.#at = this.#isLineStart ? newline + 1 : length
    }
    this.#drop(length)
    return undefined
  }

  #takeBroken(): RecordBytes | undefined {
    const broken = this.#broken
    this.#broken = undefined
    this.#phase = 'before'
    return broken
  }

  /** Returns the record, if any, in the bytes that remain at the end of the stream. */
  #last(): RecordBytes | undefined {
    const { length } = this.#queue
    if (this.#phase === 'value' && !this.#scanner.isWhole) {
      this.#lose(length)
      return this.next({ isEnd: true })
    }
    if (this.#phase === 'lost') return this.#takeBroken()
    if (this.#phase === 'before') return undefined
    return this.#emit(length)
  }

  #newlines(from: number, to: number): number {
    const { bytes } = this.#queue
    let count = 0
    let at = bytes.indexOf(LINE_FEED, from)
    for (; at !== -1 && at < to; at = bytes.indexOf(LINE_FEED, at + 1)) count++
    return count
  }

  /**
   * Returns whether scanning may begin. It waits until the stream is known to start with or without a byte order mark.
   */
  #skipByteOrderMark(isEnd: boolean): boolean {
    if (!this.#isAtStart) return true
    const { bytes, length } = this.#queue
    if (length < BYTE_ORDER_MARK.length && !isEnd) return false
    this.#isAtStart = false
    if (BYTE_ORDER_MARK.every((byte, index) => index < length && bytes[index] === byte))
      this.#at = BYTE_ORDER_MARK.length
    return true
  }
}
