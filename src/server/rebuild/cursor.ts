/**
 * A client's position in the events of a live plan. Spans arrive late and out of order, so the id of an event alone
 * does not show which others the client has seen: the cursor also holds their number and a checksum over their ids.
 */
export interface Cursor {
  readonly eventId: string
  readonly count: number
  readonly sum: number
}

const MODULUS = 2 ** 48

/** The cursor of a client that has seen nothing. */
export const START: Cursor = { eventId: '', count: 0, sum: 0 }

/** The cursor after one more event; its checksum does not depend on the order of the events. */
export const advance = ({ count, sum }: Cursor, eventId: string): Cursor => ({
  eventId,
  count: count + 1,
  sum: (sum + Number(numberOf(eventId))) % MODULUS,
})

/** A cursor as the text of an `id:` line: `1767061562002-5497558138880.37.9fa3c1k`. */
export const writeCursor = ({ eventId, count, sum }: Cursor): string => `${eventId}.${count}.${sum.toString(36)}`

const WRITTEN = /^(\d+-\d+)\.(\d+)\.([0-9a-z]+)$/

/** Reads a `Last-Event-ID`; the bare id of an event has no count and no checksum. */
export function readCursor(text: string): Cursor | { readonly eventId: string } {
  const [, eventId = text, count, sum = ''] = WRITTEN.exec(text) ?? []
  return count === undefined ? { eventId } : { eventId, count: Number(count), sum: Number.parseInt(sum, 36) }
}

/** The part of an event id that is the same each time the event is derived. */
export const numberOf = (eventId: string): string => /-(\d+)$/.exec(eventId)?.[1] ?? eventId
