import { advance, type Cursor, numberOf, readCursor, START, writeCursor } from '../rebuild/index.js'

interface Entry {
  readonly cursor: Cursor
  readonly frame: string
}

/**
 * The events of a plan in the order in which they were found. It is append-only: a client's position is an index into
 * it, so a slow client costs no memory.
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

  /** The numbers of all events that were derived from the plan's spans. */
  get numbers(): ReadonlySet<string> {
    return this.#numbers
  }

  has(eventId: string): boolean {
    return this.#numbers.has(numberOf(eventId))
  }

  /** Adds an event that was derived from the plan's spans. */
  add(eventId: string, frame: string): void {
    this.#cursor = advance(this.#cursor, eventId)
    this.#push(this.#cursor, frame)
  }

  /** Adds an event that later spans may not produce again. Cursors do not count it. */
  addTransient(eventId: string, frame: string): void {
    this.#push({ ...this.#cursor, eventId }, frame)
  }

  /**
   * The index of the first event that a client has not seen, by its `Last-Event-ID`; 0 if it names no position from
   * which the client would miss nothing.
   */
  indexAfter(lastEventId: string): number {
    const { eventId, ...seen } = readCursor(lastEventId)
    const isNamed = ({ cursor }: Entry): boolean => numberOf(cursor.eventId) === numberOf(eventId)
    if (!('count' in seen)) return this.#entries.findLastIndex(isNamed) + 1
    const isSame = ({ cursor: { count, sum } }: Entry): boolean => count === seen.count && sum === seen.sum
    const named = this.#entries.findLastIndex((entry) => isSame(entry) && isNamed(entry))
    return (named >= 0 ? named : this.#entries.findIndex(isSame)) + 1
  }

  /** The next frames from an index on, about 64 KB of them, and the index after them. */
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
