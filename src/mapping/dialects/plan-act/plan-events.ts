import { EVENTS } from '../../../semconv/index.js'
import { itemsOf, member, stringOf } from '../../json/index.js'
import { jsonOf, textOf, type PlanActEvent } from './plan-act-event.js'

/** The fields of a plan that do not change from one of its events to the next, and so stand on the plan span. */
export const CARRIED = ['title', 'goal', 'language', 'message'] as const

/** The span event that stands for a plan event of each word. */
export const PLAN_EVENTS: ReadonlyMap<string, string> = new Map([
  ['created', EVENTS.planCreated],
  ['updated', EVENTS.planUpdated],
  ['completed', EVENTS.planCompleted],
])

/** A plan event's word: what it says, else what its place among the events tells. */
export function planWord(
  { values }: PlanActEvent,
  place: { readonly planned: boolean; readonly isLast: boolean },
): string {
  const told = textOf(values['eventStatus'])
  if (told !== undefined) return told
  if (!place.planned) return 'created'
  return place.isLast ? 'completed' : 'updated'
}

/** Whether a step event is the end of the step. */
export const isEnd = ({ values: { status } }: PlanActEvent): boolean => status === 'completed' || status === 'failed'

/** The ids of a plan's steps. */
export const stepIdsOf = ({ values }: PlanActEvent): (string | undefined)[] =>
  itemsOf(jsonOf(values['stepsJson'])).map((step) => stringOf(member(step, 'id')))
