import { z } from 'zod'

import { STATES, VERDICTS } from '../semconv/index.js'

/** The number of missing items that a verdict lists. */
export const MAX_MISSING = 200

/** The response of `GET /api/records/{planId}?fields=verdict`. */
export const verdictSchema = z.object({
  traceId: z.string(),
  verdict: z.enum(VERDICTS).describe('How faithful the rebuilt record is.'),
  state: z.enum(STATES),
  missingCount: z.number().int().describe('The number of missing items.'),
  missing: z
    .array(z.object({ spanId: z.string(), what: z.string() }))
    .describe(
      `The first ${String(MAX_MISSING)} missing items, in words, each with the span that lacks it or contains the lacking span.`,
    ),
})

/** How faithful a record is, and the items that it lacks. */
export type VerdictJson = z.output<typeof verdictSchema>
