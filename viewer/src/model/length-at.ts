import type { Row } from './row.js'
import { isMoving } from './words.js'

/**
 * The duration of a span, or its duration until a time if its plan is running, milliseconds. A wait continues although
 * its span ended when the plan was suspended.
 */
export function lengthAt(
  { start, duration, pending, state }: Pick<Row, 'start' | 'duration' | 'pending' | 'state'>,
  at: number | undefined,
): number {
  const isGoing = (pending || state === 'waiting') && state !== null && isMoving(state)
  return isGoing && at !== undefined ? Math.max(duration, at - start) : duration
}
