import { z } from 'zod'

import { STATES, VERDICTS } from '../semconv/index.js'

/** The number of missing items that a verdict lists. */
export const MAX_MISSING = 200

/** The response of `GET /api/records/{planId}?fields=verdict`. */
export const verdictSchema = z.object({
  traceId: z.string(),
  verdict: z.enum(VERDICTS).describe('How true the rebuilt record is.'),
  state: z.enum(STATES),
  missingCount: z.number().int().describe('How much is missing.'),
  missing: z
    .array(z.object({ spanId: z.string(), what: z.string() }))
    .describe(`What is missing, in words, and at or below which span: the first ${String(MAX_MISSING)}.`),
})

/** How true a record is, and what is missing. */
export type VerdictJson = z.output<typeof verdictSchema>
