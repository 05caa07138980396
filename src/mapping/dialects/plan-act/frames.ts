import {
  parseEventStream,
  jsonString,
  member,
  stringOf,
  type JsonNode,
  type JsonObject,
  writeJsonDocument,
} from '../../json/index.js'
import type { SpanNode } from '../../tree/index.js'
import type { HomeValues } from '../../record-object/index.js'
import { toInterface } from './convert.js'
import { carriedBy, collectEvents, isSession } from './decode.js'
import { deriveEvents } from './derive.js'
import { eraNamed } from './era.js'
import { textOf, type PlanActEvent } from './plan-act-event.js'
import { writeItem } from './item.js'

/** One event of a plan as a frame of its stream. */
export interface EventFrame {
  /**
   * The `event_id`, `<ms>-<n>`. The number stays the same whenever the event is derived. The time may become earlier.
   */
  readonly id: string
  /** Whether the frame belongs to the end of the plan. */
  readonly isEnd: boolean
  /** Returns the lines of the frame, including the empty line at its end, without an `id` line. */
  write(): string
}

/**
 * Returns the events of a live plan as ManusX streams them, without the user's messages: those of its recorded session,
 * else those that ManusX would emit for the plan.
 */
export const eventFrames = (plan: SpanNode): EventFrame[] =>
  (isSession(plan) ? recordedEvents(plan) : derivedEvents(plan))
    .filter(({ event: { values } }) => values['role'] !== 'user')
    .map(({ id, isEnd, event, carried }) => ({ id, isEnd, write: () => frameText(event, carried) }))

interface Streamed {
  readonly id: string
  readonly isEnd: boolean
  readonly event: PlanActEvent
  readonly carried?: HomeValues<'plan'>
}

const derivedEvents = (plan: SpanNode): Streamed[] =>
  deriveEvents(plan)
    .filter(({ isProvisional = false }) => !isProvisional)
    .map((event) => ({ id: textOf(event.values['streamId']) ?? '', isEnd: event.isEnd ?? false, event }))

const NANOS_PER_MS = 1_000_000n
/** The number of events that wait for an earlier one while the plan runs: spans that arrive later may contain it. */
const MAX_WAITING = 100
const ENDS: ReadonlySet<string | undefined> = new Set(['done', 'error'])

/** Returns the events of a recorded session. While it runs, the events behind a gap wait for the missing ones. */
function recordedEvents(plan: SpanNode): Streamed[] {
  const carried = carriedBy(plan)
  const events = collectEvents(plan)
  const gap = events.findIndex(({ seq }, index) => seq !== index)
  const isWaiting = gap >= 0 && plan.span.pending && plan.role === 'plan'
  const known = isWaiting ? events.slice(0, Math.max(gap, events.length - MAX_WAITING)) : events
  return known.map((event) => {
    const { seq, type, time = 0n, values } = event
    const streamId = textOf(values['streamId']) ?? textOf(values['eventId'])
    const id = `${time / NANOS_PER_MS}-${seq}`
    return { id, isEnd: ENDS.has(type), event: { ...event, values: { ...values, streamId } }, carried }
  })
}

/** Returns the frame of an error that no span records. */
export const errorFrame = (id: string, time: bigint, error: string): string =>
  frameText({ seq: 0, type: 'error', time, values: { streamId: id, error } })

function frameText(event: PlanActEvent, carried?: HomeValues<'plan'>): string {
  const era = eraNamed('sse', '')
  return writeJsonDocument({ kind: 'array', items: [writeItem(toInterface(event), era, carried)] }, era.style)
}

/** An event stream and its number of events, without comments. */
export interface EventStream {
  readonly text: string
  readonly eventCount: number
}

/**
 * Adds the `id` lines that let a client resume a stream of ManusX's events. The result begins after the event with the
 * id `after`, or with the first event if no event has that id.
 */
export function withEventIds(stream: string, after?: string): EventStream {
  const { items, space = [] } = parseEventStream(stream)
  const last = after === undefined ? -1 : items.findLastIndex((item) => eventIdOf(item) === after)
  const rest = items.slice(last + 1)
  const document: JsonNode = { kind: 'array', items: rest.map(withId), space: space.slice((last + 1) * 2) }
  return {
    text: writeJsonDocument(document, { framing: 'sse', newline: '\r\n' }),
    eventCount: rest.filter((item) => member(item, 'data') !== undefined).length,
  }
}

const eventIdOf = (item: JsonNode): string | undefined => stringOf(member(member(item, 'data'), 'event_id'))

/** Line breaks in an id would break the stream, and clients ignore ids with NUL. */
const SAFE_ID = /^[^\r\n\0]+$/

function withId(item: JsonNode): JsonNode {
  const id = eventIdOf(item)
  if (item.kind !== 'object' || id === undefined || !SAFE_ID.test(id) || member(item, 'id')) return item
  const idLine: JsonObject['members'][number] = { key: jsonString('id'), value: jsonString(id) }
  return { ...item, members: [idLine, ...item.members], space: ['', '', ' ', item.space?.[3], ...(item.space ?? [])] }
}
