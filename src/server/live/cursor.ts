/**
 * Where a client stands in the events of a live plan. Spans arrive late and out of order, so that the id of an event
 * alone does not tell which others its client has seen: the cursor also holds how many, and a checksum over their ids.
 */
export interface Cursor {
  readonly eventId: string
  readonly count: number
  readonly sum: number
}

const MODULUS = 2 ** 48

/** The cursor of a client that has seen nothing. */
export const START: Cursor = { eventId: '', count: 0, sum: 0 }

/** The cursor behind one more event; the order of the events does not matter to its checksum. */
export const advance = ({ count, sum }: Cursor, eventId: string): Cursor => ({
  eventId,
  count: count + 1,
  sum: (sum + Number(numberOf(eventId))) % MODULUS,
})

/** As an `id:` line holds it: `1767061562002-5497558138880.37.9fa3c1k`. */
export const writeCursor = ({ eventId, count, sum }: Cursor): string => `${eventId}.${count}.${sum.toString(36)}`

const WRITTEN = /^(\d+-\d+)\.(\d+)\.([0-9a-z]+)$/

/** Reads a `Last-Event-ID`; the bare id of an event stands for no count. */
export function readCursor(text: string): Cursor | { readonly eventId: string } {
  const [, eventId = text, count, sum = ''] = WRITTEN.exec(text) ?? []
  return count === undefined ? { eventId } : { eventId, count: Number(count), sum: Number.parseInt(sum, 36) }
}

/** What in the id of an event is the same whenever the event is derived. */
export const numberOf = (eventId: string): string => /-(\d+)$/.exec(eventId)?.[1] ?? eventId
