import { z } from 'zod'

import { STATES } from '../semconv/index.js'
import { FOUND, json, type RouteTable } from './route-table.js'

const count = z.number().int()
const tally = z.object({ count, plans: count.describe('In how many plans.') })
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
  isWhole: z.boolean().describe('False where there are more plans than are counted: those are the newest.'),
  plans: count,
  states: z.partialRecord(z.enum(STATES), count).describe('How many plans are in each state.'),
  success: z
    .object({ of: count, succeeded: count })
    .describe(
      'Of the plans that are over those that were completed; of results with scores those with 1 or more, of those with one.',
    ),
  score: spread,
  errors: tally.describe('Ended spans with an error.'),
  judged: tally.describe('Actions that guardrails judged.'),
  unsafe: tally.describe('Those of them that they found not safe.'),
  unsafeStopped: tally.describe('Of those the ones that were not taken.'),
  unsafeTaken: tally.describe('Of those the ones that were taken all the same.'),
  risk: spread.describe('The highest risk of each plan.'),
  tokens: spread,
  costUsd: spread.describe('What those model calls cost whose price is known, US dollars.'),
  durationMs: spread,
})

/** The response of `GET /api/compare/sets`. */
export const setsSchema = z.object({ sets: z.array(setSchema).describe('In the requested order.') })

/** How two sets of plans differ. */
export type SetsJson = z.output<typeof setsSchema>

const MAX_SETS = 16
/** The maximum number of plans of a set that are counted. */
export const MAX_SET_PLANS = 10_000

/** The parameters of `GET /api/compare/sets`. */
export const SETS_QUERY = z.strictObject({
  set: z
    .array(z.string())
    .min(1, 'name a set or more, as set=workflow%3Da')
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
