import {
  eraNamed,
  eraOf,
  instantOf,
  type PlanActEvent,
  readItem,
  streamTimeOf,
  textOf,
} from '../../mapping/dialects/plan-act/index.js'
import { jsonNodeOf } from './record-safely.js'

/** An event of ManusX to be recorded. */
export interface ManusEvent extends PlanActEvent {
  readonly type: string
  readonly time: bigint
}

/**
 * Reads an event, bare or as an entry of the Redis stream or a WebSocket frame; undefined for anything else. The time
 * is that of its stream id, else now: without a stream id, the event's own time has no time zone.
 */
export function readManusEvent(event: unknown, now: bigint): ManusEvent | undefined {
  const node = jsonNodeOf(event, 'a ManusX event')
  const item = node && readItem(node, eraNamed('events', eraOf('events', [node])))
  if (item?.type === undefined) return undefined
  const { type, values } = item
  const streamTime = streamTimeOf(textOf(values['streamId']) ?? textOf(values['eventId']))
  const streamInstant = streamTime === undefined ? undefined : instantOf(values, 'UTC')
  return { seq: 0, type, values, time: streamInstant ?? now }
}
