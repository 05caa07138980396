import { createHash } from 'node:crypto'

import { decodeEvents, type EventsOf, type PlanEvents } from '../../mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../../semconv/index.js'
import type { TraceProgress } from '../../store/index.js'

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

/** The plan of a feed, or the agent by its step, and its trace. */
export type FeedTarget = EventsOf & { readonly traceId: string }

export interface FeedTask {
  readonly target: FeedTarget
  /** The numbers of the events that the feed already has. */
  readonly known: ReadonlySet<string>
  /** Unix nanoseconds. */
  readonly now: bigint
}

/** An event that a feed does not have yet. */
interface NewEvent {
  readonly id: string
  readonly isEnd: boolean
  readonly frame: string
}

/** The result of reading a trace for a feed. */
export interface FeedRead {
  readonly rows: number
  /** Whether the next read should run separately, without delaying other feeds. */
  readonly isLarge: boolean
  readonly progress: TraceProgress
  /** Undefined if the trace does not contain the plan. */
  readonly events: (Omit<PlanEvents, 'frames'> & { readonly news: readonly NewEvent[] }) | undefined
}

/** The limits of a trace that is read together with others: its rows, and the characters of their attributes. */
const MAX_SMALL_ROWS = 256
const MAX_SMALL_CHARACTERS = 200_000

/** Returns the course of a plan according to a trace's rows, and the events that a feed does not have. */
export function readFeed(rows: readonly StoredSpan[], { target, known, now }: FeedTask): FeedRead {
  const decoded = decodeEvents(rows, { ...target, now })
  return {
    rows: rows.length,
    isLarge: rows.length > MAX_SMALL_ROWS || charactersOf(rows) > MAX_SMALL_CHARACTERS,
    progress: progressOf(rows),
    events: decoded && withNews(decoded, known),
  }
}

const withNews = ({ frames, ...events }: PlanEvents, known: FeedTask['known']): FeedRead['events'] => ({
  ...events,
  news: frames
    .filter(({ id }) => !known.has(numberOf(id)))
    .map((frame) => ({ id: frame.id, isEnd: frame.isEnd, frame: frame.write() })),
})

/** As `traceProgress` of the store reads it. */
function progressOf(rows: readonly StoredSpan[]): TraceProgress {
  let end = 0n
  let ended = 0
  for (const { startTimeUnixNano, endTimeUnixNano, attributes } of rows) {
    for (const time of [startTimeUnixNano, endTimeUnixNano]) if (time > end) end = time
    if (attributes[ATTR.spanState] !== PENDING || !attributes[ATTR.pendingSpanId]) ended++
  }
  return { rows: ended, end }
}

function charactersOf(rows: readonly StoredSpan[]): number {
  let characters = 0
  for (const { attributes } of rows) for (const text of Object.values(attributes)) characters += text.length
  return characters
}

/** The spans that a client has, each with a checksum of its JSON. */
export type KnownSpans = ReadonlyMap<string, string>

/** The spans of a plan that a client does not have yet. */
export interface SpanChanges {
  /** All spans, as the client has them afterwards. */
  readonly known: KnownSpans
  /** The spans that are new or have changed, as server-sent events, in order of their start. */
  readonly frames: readonly string[]
  /** The checksum of all spans. A client that sends it is up to date. */
  readonly checksum: string
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/**
 * Compares the spans of a plan with the spans that a client has. A span that disappears, as inferred ones may, is not a
 * change.
 */
export function spanChanges(spans: Iterable<readonly [spanId: string, value: unknown]>, had: KnownSpans): SpanChanges {
  const known = new Map<string, string>()
  const frames: string[] = []
  for (const [spanId, value] of spans) {
    const json = JSON.stringify(value)
    const sum = sumOf(json)
    known.set(spanId, sum)
    if (had.get(spanId) !== sum) frames.push(`event: span\r\ndata: ${json}\r\n\r\n`)
  }
  return { known, frames, checksum: sumOf([...known].join()) }
}
