import { z } from 'zod'

import { rulesSchema } from '../check/index.js'
import { STATES } from '../semconv/index.js'
import { FILTERS } from './query-parameters.js'
import { FOUND, MISSING, type RouteTable } from './route-table.js'
import { NDJSON } from './transfer-routes.js'

/** The parameters of `POST /api/check`. */
export const CHECK_QUERY = z.strictObject(FILTERS)

/** The maximum number of plans that a request names. */
const MAX_IDS = 1_000

/** The body of `POST /api/check`. */
export const CHECK_BODY = z.strictObject({
  ids: z
    .array(z.string().min(1))
    .max(MAX_IDS)
    .exactOptional()
    .describe('The ids of the plans to check, instead of a list. Of the filters, only trace and source apply to them.'),
  ...rulesSchema.shape,
})

/** A line of `POST /api/check`: the findings of the rules in a plan, or the reason why it could not be checked. */
export const checkLineSchema = z
  .object({
    planId: z.string(),
    traceId: z.string(),
    workflow: z.string().exactOptional(),
    state: z.enum(STATES).exactOptional(),
    startTime: z.string().exactOptional().describe('ISO 8601 in UTC.'),
    missing: z.number().int().exactOptional().describe('The number of known gaps in the plan, such as missing spans.'),
    passed: z.array(z.string()).describe('The rules without a finding. Rules that are not for the plan are left out.'),
    findings: z
      .array(
        z.object({
          rule: z.string(),
          outcome: z
            .enum(['broken', 'undecided'])
            .describe('undecided: the spans do not say, or the plan is not over.'),
          text: z.string().describe('What happened, without arguments, results or messages.'),
          spanId: z.string(),
        }),
      )
      .describe('By rule, in order of time; at most 20 per rule.'),
    problem: z
      .object({ code: z.string(), detail: z.string() })
      .exactOptional()
      .describe('The reason why the plan was not checked.'),
  })
  .meta({ id: 'CheckLine' })

/** A line of a check: the findings of the rules in a plan. */
export type CheckLine = z.output<typeof checkLineSchema>

export const CHECK_ROUTES = {
  'POST /api/check': {
    scope: 'read',
    client: ['check'],
    summary:
      'Checks the plans of a list, newest first, or the named plans, by rules. If the check fails, the connection closes before the end of the response.',
    query: CHECK_QUERY,
    body: CHECK_BODY,
    answers: { 200: { description: 'One CheckLine per plan.', type: NDJSON }, ...FOUND, 404: MISSING },
  },
} as const satisfies RouteTable
