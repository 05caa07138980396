import { z } from 'zod'

/** What names a plan in the store; a plan that was imported twice is there twice. */
export const PLACE = {
  planId: z.string().describe('The plan’s id, as find_plans tells it.'),
  trace: z.string().optional().describe('Its traceId: of several records with the id, the one of this trace.'),
  source: z.string().optional().describe('Of several records with the id, the import of this source.'),
}

/** What names the record to the server. */
export const placeOf = ({ trace, source }: { trace?: string | undefined; source?: string | undefined }) => ({
  trace,
  source,
})
