import { isOver } from '../../semconv/index.js'
import type { PlanJson } from '../plan-schema.js'

/** Returns the duration of a plan; for a live plan that is not over, the time until `now`, milliseconds. */
export const elapsedMs = (
  { live, state, startTime, durationMs }: Pick<PlanJson, 'live' | 'state' | 'startTime' | 'durationMs'>,
  now: number,
): number => (live && !isOver(state) ? Math.max(durationMs, now - Date.parse(startTime)) : durationMs)
