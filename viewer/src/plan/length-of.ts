import type { Row } from '../model/row.js'
import { isMoving } from '../model/words.js'
import { now } from '../parts/now.js'
import type { PlanStore } from './plan-store.js'

/** How long a span took, or has taken so far, milliseconds. */
export function lengthOf(store: Pick<PlanStore, 'isMoving'>, { start, duration, pending, state }: Row): number {
  const isGoing = pending && state !== null && isMoving(state) && store.isMoving.value
  return isGoing ? Math.max(duration, now.value - start) : duration
}
