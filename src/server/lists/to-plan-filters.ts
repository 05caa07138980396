import type { z } from 'zod'

import type { PlanFilters } from '../../store/index.js'
import type { FILTERS } from '../../wire/index.js'

/** The value of `error` that selects all errors. */
const ANY_ERROR = 'any'

type GivenFilters = z.output<z.ZodObject<typeof FILTERS>>

/** Converts query parameters to the filters of the store. `now` is in Unix nanoseconds. */
export function toPlanFilters(given: GivenFilters, now: bigint): PlanFilters {
  const { state, agent, tool, model, service, conversation, workflow, errorType, ...others } = given
  const { convention, error, minDuration, minWait, ...same } = others
  return {
    ...same,
    ...(state && { states: state }),
    ...(agent && { agents: agent }),
    ...(tool && { tools: tool }),
    ...(model && { models: model }),
    ...(service && { services: service }),
    ...(conversation && { conversations: conversation }),
    ...(workflow && { workflows: workflow }),
    ...(errorType && { errorTypes: errorType }),
    ...(convention !== undefined && { conventions: [convention] }),
    ...(error !== undefined && (error === ANY_ERROR ? { failed: true } : { errorText: error })),
    ...(minDuration !== undefined && { minDurationMs: minDuration }),
    ...(minWait !== undefined && { waitingSince: now - BigInt(Math.round(minWait * 1e6)) }),
  }
}
