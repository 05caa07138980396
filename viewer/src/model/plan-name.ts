import type { PlanJson, PlanName } from 'planspan/client'

/** What names a plan of a list. A live one goes on under its id alone; an import's trace tells it from others. */
export const nameOf = ({ planId, traceId, live }: PlanJson): PlanName => ({
  planId,
  ...(live ? {} : { trace: traceId }),
})
