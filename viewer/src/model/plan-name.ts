import type { PlanJson, PlanName } from 'planspan/client'

/** The name of a plan in a list. A live plan keeps its id in several traces; an import is identified by its trace. */
export const nameOf = ({ planId, traceId, live }: PlanJson): PlanName => ({
  planId,
  ...(live ? {} : { trace: traceId }),
})
