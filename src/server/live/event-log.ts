import { advance, numberOf, readCursor, START, writeCursor, type Cursor } from './cursor.js'

interface Entry {
  readonly cursor: Cursor
  readonly frame: string
}

/**
 * The events of a plan in the order in which they became known. It only grows: a client's place in it is an index, so a
 * slow client costs no memory.
 */
export class EventLog {
  readonly #entries: Entry[] = []
  readonly #numbers = new Set<string>()
  #cursor = START
  #size = 0

  get length(): number {
    return this.#entries.length
  }

  /** The characters of all frames. */
  get size(): number {
    return this.#size
  }

  has(eventId: string): boolean {
    return this.#numbers.has(numberOf(eventId))
  }

  /** Adds an event that the plan's spans tell of. */
  add(eventId: string, frame: string): void {
    this.#cursor = advance(this.#cursor, eventId)
    this.#push(this.#cursor, frame)
  }

  /** Adds an event that the spans may tell nothing of later on, so that no cursor counts it. */
  addPassing(eventId: string, frame: string): void {
    this.#push({ ...this.#cursor, eventId }, frame)
  }

  /**
   * The index of the first event that a client has not seen, by its `Last-Event-ID`: 0 where that names no place from
   * which nothing would be lost.
   */
  indexAfter(lastEventId: string): number {
    const { eventId, ...seen } = readCursor(lastEventId)
    const isNamed = ({ cursor }: Entry): boolean => numberOf(cursor.eventId) === numberOf(eventId)
    if (!('count' in seen)) return this.#entries.findLastIndex(isNamed) + 1
    const isSame = ({ cursor: { count, sum } }: Entry): boolean => count === seen.count && sum === seen.sum
    const named = this.#entries.findLastIndex((entry) => isSame(entry) && isNamed(entry))
    return (named >= 0 ? named : this.#entries.findIndex(isSame)) + 1
  }

  /** The frames from an index on, some 64 KB at once, and the index behind them. */
  read(from: number): { readonly text: string; readonly next: number } {
    let text = ''
    let next = from
    while (next < this.#entries.length && text.length < CHUNK) text += this.#entries[next++]?.frame ?? ''
    return { text, next }
  }

  #push(cursor: Cursor, frame: string): void {
    const entry = { cursor, frame: `id: ${writeCursor(cursor)}\r\n${frame}` }
    this.#entries.push(entry)
    this.#numbers.add(numberOf(cursor.eventId))
    this.#size += entry.frame.length
  }
}

const CHUNK = 65_536
