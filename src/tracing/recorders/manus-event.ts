import {
  eraNamed,
  eraOf,
  instantOf,
  isSseEvent,
  type PlanActEvent,
  readItem,
  streamTimeOf,
  textOf,
} from '../../mapping/dialects/plan-act/index.js'
import { member } from '../../mapping/json/index.js'
import { jsonNodeOf } from './record-safely.js'

/** An event of ManusX to be recorded. */
export interface ManusEvent extends PlanActEvent {
  readonly type: string
  readonly time: bigint
}

/**
 * Reads an event: bare, an entry of the Redis stream, a WebSocket frame or `{ event, data }` of a server-sent event;
 * undefined for anything else. The time is that of its stream id, else now: without a stream id, the event's own time
 * has no time zone.
 */
export function readManusEvent(event: unknown, now: bigint): ManusEvent | undefined {
  const node = jsonNodeOf(event, 'a ManusX event')
  const serialisation = isSseEvent(node) && member(node, 'type') === undefined ? 'sse' : 'events'
  const item = node && readItem(node, eraNamed(serialisation, eraOf(serialisation, [node])))
  if (item?.type === undefined) return undefined
  const { type, values } = item
  const instant = streamIdOf({ values }) === undefined ? undefined : instantOf(values, 'UTC')
  return { seq: 0, type, values, time: instant ?? now }
}

/** The id of an event in its stream; undefined if its ids are not those of a stream. */
export const streamIdOf = ({ values: { streamId, eventId } }: Pick<ManusEvent, 'values'>): string | undefined =>
  [textOf(streamId), textOf(eventId)].find((id) => streamTimeOf(id) !== undefined)
