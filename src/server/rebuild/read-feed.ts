import { decodeEvents, type EventsOf, type PlanEvents } from '../../mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../../semconv/index.js'
import type { TraceProgress } from '../../store/index.js'
import { numberOf } from './cursor.js'

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
export interface NewEvent {
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
    if (attributes[ATTR.spanState] !== PENDING) ended++
  }
  return { rows: ended, end }
}

function charactersOf(rows: readonly StoredSpan[]): number {
  let characters = 0
  for (const { attributes } of rows) for (const text of Object.values(attributes)) characters += text.length
  return characters
}
