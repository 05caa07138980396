import type { HrTime } from '@opentelemetry/api'
import { eraNamed, eraOf } from '../../mapping/dialects/plan-act/era.js'
import { type EventValues, type PlanActEvent, textOf } from '../../mapping/dialects/plan-act/event.js'
import { readItem } from '../../mapping/dialects/plan-act/item.js'
import { instantOf, streamTimeOf } from '../../mapping/dialects/plan-act/time.js'
import { hrTimeOf } from './recorded-clock.js'
import { jsonNodeOf } from './record-safely.js'

/** An event of ManusX, with its values by the names of the field tables. */
export interface ManusEvent {
  readonly type: string
  readonly values: EventValues
  /** When it was, where it came with the id of its stream: a time without one has no zone. */
  readonly time: HrTime | undefined
}

/** Reads an event, bare or as an entry of the Redis stream or a WebSocket frame; undefined where it is none. */
export function readManusEvent(event: unknown): ManusEvent | undefined {
  const node = jsonNodeOf(event, 'a ManusX event')
  const item = node && readItem(node, eraNamed('events', eraOf('events', [node])))
  if (item?.type === undefined) return undefined
  const { type, values } = item
  const streamTime = streamTimeOf(textOf(values['streamId']) ?? textOf(values['eventId']))
  const time = streamTime === undefined ? undefined : instantOf(values, 'UTC')
  return { type, values, time: time === undefined ? undefined : hrTimeOf(time) }
}

/** The event as the dialect's own rules take it. */
export const asPlanActEvent = ({ type, values }: ManusEvent): PlanActEvent => ({ seq: 0, type, values })
