import { ByteQueue } from './byte-queue.js'
import { isSpace, ValueScanner } from '../json/index.js'

/** A record's bytes, cut from a stream. */
export interface RecordBytes {
  readonly bytes: Uint8Array
  /** The line of the stream on which the value starts, from 1. */
  readonly line: number
  /** The bytes end where they stop being JSON; what followed, up to where the next record may begin, is left out. */
  readonly isBroken: boolean
}

const LINE_FEED = 0x0a
const OPEN_BRACE = 0x7b
const LONGEST_CHARACTER = 4
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const

/**
 * Cuts a stream of JSON documents into records, holding one record at a time. A record's bytes run from the end of the
 * one before it to the end of its own line; what follows the last one belongs to it. After a broken record the next
 * begins at the next line that starts with `{`, as those of JSON lines and of indented files do.
 */
export class RecordSplitter {
  readonly #queue = new ByteQueue()
  #phase: 'before' | 'value' | 'line' | 'after' | 'lost' = 'before'
  #scanner = new ValueScanner()
  /** How far the queue is scanned. */
  #at = 0
  /** The line of the queue's first byte. */
  #line = 1
  #valueStart = 0
  /** Where the record that waits for what follows it ends. */
  #cut = 0
  #broken: RecordBytes | undefined
  /** While looking for the next record: whether `#at` is where a line begins. */
  #isLineStart = false
  #isAtStart = true

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk)
  }

  /** The next record; undefined where it takes more bytes, or where `isEnd` and there is no other. */
  next({ isEnd }: { readonly isEnd: boolean }): RecordBytes | undefined {
    const queue = this.#queue
    if (!this.#skipByteOrderMark(isEnd)) return undefined
    while (this.#at < queue.length) {
      const found = this.#step()
      if (found) return found
    }
    return isEnd ? this.#last() : undefined
  }

  /** Takes out the bytes that no record has been made of yet. */
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

  /** The rest of the value's line: white space and a line feed. */
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

  /** Takes bytes out of the queue; the scanning goes on behind them. */
  #drop(end: number): Uint8Array {
    this.#line += this.#newlines(0, end)
    this.#at -= Math.min(this.#at, end)
    return this.#queue.take(end)
  }

  /** Notes what the broken record shows, and looks for the next one from its second byte on. */
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

  /** The record, if any, in the bytes that are left at the end of the stream. */
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

  /** Whether the scanning may begin: the start of a stream is known for a byte order mark or for none. */
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
