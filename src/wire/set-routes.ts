import { z } from 'zod'

import { STATES } from '../semconv/index.js'
import { FOUND, json, type RouteTable } from './route-table.js'

const count = z.number().int()
const tally = z.object({ count, plans: count.describe('The number of plans that contain at least one.') })
const spread = z
  .object({
    plans: count.describe('The number of plans with a value.'),
    sum: z.number(),
    mean: z.number(),
    median: z.number(),
    most: z.number(),
  })
  .nullable()
  .describe('Null if no plan has a value.')

const setSchema = z.object({
  set: z.string().describe('As requested.'),
  isWhole: z
    .boolean()
    .describe('Whether all plans of the set are counted; otherwise only the newest plans are counted.'),
  plans: count,
  states: z.partialRecord(z.enum(STATES), count).describe('The number of plans in each state.'),
  success: z
    .object({ of: count, succeeded: count })
    .describe(
      'The number of completed plans among ended plans. For results with scores, the number of scores of 1 or more among all scores.',
    ),
  score: spread,
  errors: tally.describe('Ended spans with an error.'),
  judged: tally.describe('Actions that guardrails judged.'),
  unsafe: tally.describe('Judged actions that guardrails found unsafe.'),
  unsafeStopped: tally.describe('Unsafe actions that were not executed.'),
  unsafeTaken: tally.describe('Unsafe actions that were executed nonetheless.'),
  risk: spread.describe('The highest risk of each plan.'),
  tokens: spread,
  costUsd: spread.describe('The cost of the model calls with a known price, US dollars.'),
  durationMs: spread,
})

/** The response of `GET /api/compare/sets`. */
export const setsSchema = z.object({ sets: z.array(setSchema).describe('In the requested order.') })

/** The totals of sets of plans. */
export type SetsJson = z.output<typeof setsSchema>

const MAX_SETS = 16
/** The maximum number of plans of a set that are counted. */
export const MAX_SET_PLANS = 10_000

/** The parameters of `GET /api/compare/sets`. */
export const SETS_QUERY = z.strictObject({
  set: z
    .array(z.string())
    .min(1, 'at least one set is required, as set=workflow%3Da')
    .max(MAX_SETS)
    .prefault([])
    .describe(
      `1 to ${String(MAX_SETS)} sets, each a percent-encoded query of GET /api/records such as workflow=a&state=completed; an empty set is all plans. Only the newest ${String(MAX_SET_PLANS)} plans of a set are counted.`,
    ),
})

export const SETS_ROUTES = {
  'GET /api/compare/sets': {
    scope: 'read',
    client: ['compareSets'],
    summary: 'Compares the totals of sets of plans.',
    query: SETS_QUERY,
    answers: { 200: json('The sets.', setsSchema), ...FOUND },
  },
} as const satisfies RouteTable
