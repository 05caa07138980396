import type { Dialect, DialectName } from '../dialect.js'
import type { JsonNode } from '../../json/index.js'
import { convertPlanAct } from './convert.js'
import { decodePlanAct } from './decode.js'
import { isEventLine, isSession, isSseEvent } from './detect.js'
import { encodePlanAct } from './encode.js'
import { eraNamed, ERAS, type Serialisation } from './era.js'

const dialect = (
  name: DialectName,
  serialisation: Serialisation,
  detect: (document: JsonNode) => boolean,
): Dialect => ({
  name,
  eras: ERAS[serialisation],
  detect,
  encode: (document, context) => encodePlanAct(serialisation, document, context),
  decode: (plan, era) => decodePlanAct(serialisation, plan, era),
  style: (era) => eraNamed(serialisation, era).style,
  convert: (plan) => convertPlanAct(serialisation, plan),
})

/** ManusX's domain events, one per line: as in its Redis stream, bare, or as the WebSocket frames of ai-manus. */
export const planActEvents = dialect('plan-act:events', 'events', isEventLine)

/** The server-sent events that ManusX streams to its clients. */
export const planActSse = dialect('plan-act:sse', 'sse', isSseEvent)

/** The response of ManusX's `GET /sessions/{id}`. */
export const planActSession: Dialect = {
  ...dialect('plan-act:session', 'session', isSession),
  carrierIn: ['planspan'],
}

export { errorFrame, eventFrames, withEventIds } from './frames.js'
export type { EventFrame, EventStream } from './frames.js'

export { eraNamed, eraOf } from './era.js'
export { SESSION_EVENT_FIELDS, textOf } from './plan-act-event.js'
export { spanEventValues, USUAL_STATUS } from './plan-events.js'
export { readItem } from './item.js'
export { EXECUTOR, WORKFLOW } from './plan-act-event.js'
export { SessionReducer } from './session-reducer.js'
export { isSseEvent } from './detect.js'
export { instantOf, streamTimeOf } from './event-time.js'
export type { EventValues, PlanActEvent } from './plan-act-event.js'
export type { PlanSink, SinkRole, SpanEnd, SpanSink } from './span-sink.js'
