import { EVENTS } from '../../../semconv/index.js'
import { itemsOf, member, stringOf } from '../../json/index.js'
import { jsonOf, textOf, type EventValues, type PlanActEvent } from './plan-act-event.js'

/** The fields of a plan that stay the same in all of its events, so that the plan span stores them. */
export const CARRIED = ['title', 'goal', 'language', 'message'] as const

/** The span event for each type of plan event. */
export const PLAN_EVENTS: ReadonlyMap<string, string> = new Map([
  ['created', EVENTS.planCreated],
  ['updated', EVENTS.planUpdated],
  ['completed', EVENTS.planCompleted],
])

/** Returns the status of a plan event: as recorded, otherwise from its position among the events. */
export function planWord(
  { values }: PlanActEvent,
  place: { readonly planned: boolean; readonly isLast: boolean },
): string {
  const status = textOf(values['eventStatus'])
  if (status !== undefined) return status
  if (!place.planned) return 'created'
  return place.isLast ? 'completed' : 'updated'
}

/** Whether a step event ends the step. */
export const isEnd = ({ values: { status } }: PlanActEvent): boolean => status === 'completed' || status === 'failed'

/** Returns the ids of a plan's steps. */
export const stepIdsOf = ({ values }: PlanActEvent): (string | undefined)[] =>
  itemsOf(jsonOf(values['stepsJson'])).map((step) => stringOf(member(step, 'id')))

/** The default status of a span's first event. */
export const USUAL_STATUS: ReadonlyMap<string, string> = new Map([
  [EVENTS.stepStatusChanged, 'running'],
  [EVENTS.toolStatusChanged, 'calling'],
])

/** Returns the values of an event's span event: those given, its ids, its time and its position. */
export const spanEventValues = (
  { seq, values: { eventId, streamId, timestamp, unreadTimes } }: PlanActEvent,
  own: EventValues,
) => ({
  ...own,
  eventId,
  streamId,
  timestamp,
  unreadTimes,
  seq,
})
