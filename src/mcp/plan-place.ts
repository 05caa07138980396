import { z } from 'zod'

/** The arguments that identify a stored plan. A plan that was imported twice is stored twice. */
export const PLACE = {
  planId: z.string().describe('The plan’s id, as returned by find_plans.'),
  trace: z.string().optional().describe('The plan’s traceId, to select one of several records with the same planId.'),
  source: z.string().optional().describe('The import’s source, to select one of several records with the same planId.'),
}

/** Returns the query parameters that select the record. */
export const placeOf = ({ trace, source }: { trace?: string | undefined; source?: string | undefined }) => ({
  trace,
  source,
})
