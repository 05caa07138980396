import { z } from 'zod'

import { VERDICTS, STATES } from '../semconv/index.js'
import type { FACETS, PLAN_ORDERS, PLAN_SORTS } from '../store/index.js'
import { planSchema } from './plan-schema.js'
import { countParameter, FILTERS } from './query-parameters.js'
import { FOUND, json, problemSchema, type RouteTable } from './route-table.js'

/** The sort keys. The compiler checks that they match the keys of the store. */
const SORTS = {
  start: 'start',
  duration: 'duration',
  tokens: 'tokens',
  cost: 'cost',
  risk: 'risk',
} as const satisfies {
  [Sort in (typeof PLAN_SORTS)[number]]: Sort
}
const ORDERS = { desc: 'desc', asc: 'asc' } as const satisfies { [Order in (typeof PLAN_ORDERS)[number]]: Order }

/** The parameters of `GET /api/records`. */
export const LIST_QUERY = z.strictObject({
  ...FILTERS,
  verdict: z
    .enum(VERDICTS)
    .exactOptional()
    .describe(
      'Plans whose record is rebuilt with this verdict. The server rebuilds each record, so pages may be short.',
    ),
  sort: z
    .enum(SORTS)
    .exactOptional()
    .describe('The order of the plans, start by default. Plans without the value come last.'),
  order: z.enum(ORDERS).exactOptional().describe('desc (the default): newest, longest or most first.'),
  cursor: z.string().exactOptional().describe('The nextCursor of the previous page.'),
  limit: countParameter.exactOptional().describe('1 to 1000 plans, 50 by default.'),
})

/** The parameters of `GET /api/events`. */
export const LIST_EVENTS_QUERY = LIST_QUERY.omit({ verdict: true, cursor: true })

/** The response of `GET /api/records`. */
export const recordPageSchema = z.object({
  records: z.array(planSchema),
  nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
})

/** A page of the list of plans, and the cursor of the next page. */
export type RecordPage = z.output<typeof recordPageSchema>

/** The parameters of `GET /api/facets`. */
export const FACETS_QUERY = z.strictObject({
  ...FILTERS,
  limit: countParameter.exactOptional().describe('1 to 1000 values per facet, 100 by default.'),
})

const countsSchema = z.array(z.object({ value: z.string(), plans: z.number().int() }))

const FACET_COUNTS = {
  state: countsSchema,
  workflow: countsSchema,
  agent: countsSchema,
  tool: countsSchema,
  model: countsSchema,
  error: countsSchema,
  unsafe: countsSchema.describe('true: an action was executed although a guardrail found it unsafe.'),
  risk: countsSchema.describe('Thresholds that the highest risk of a plan reaches: values of minRisk.'),
  cost: countsSchema.describe('US dollars that a plan cost at least: values of minCostUsd.'),
  service: countsSchema,
  conversation: countsSchema,
  source: countsSchema,
  dialect: countsSchema,
  convention: countsSchema,
} as const satisfies Record<(typeof FACETS)[number], typeof countsSchema>

/** The response of `GET /api/facets`. */
export const facetsSchema = z.object({
  plans: z.number().int().describe('The number of plans.'),
  facets: z
    .object(FACET_COUNTS)
    .describe('The values of each facet, with the number of plans that have them; most frequent first.'),
})

/** The values of each facet, with the number of plans that have them. */
export type FacetsJson = z.output<typeof facetsSchema>

/** The parameters of `GET /api/totals`. */
export const TOTALS_QUERY = z.strictObject({
  ...FILTERS,
  buckets: countParameter.exactOptional().describe('1 to 1000: the maximum number of intervals, 60 by default.'),
})

const TOTALS = {
  plans: z.number().int(),
  ended: z.number().int().describe('Completed, failed, cancelled and interrupted plans.'),
  completed: z.number().int(),
  failed: z.number().int(),
  costUsd: z.number().describe('US dollars, of the calls with a known price.'),
  tokens: z.number(),
  p95DurationMs: z.number().nullable().describe('95 of 100 plans took at most this long; null without plans.'),
  unsafeTaken: z.number().int().describe('Plans in which an unsafe action was executed.'),
}

/** The response of `GET /api/totals`. */
export const totalsSchema = z.object({
  ...TOTALS,
  bucketMs: z.number().describe('The length of an interval, milliseconds.'),
  course: z
    .array(z.object({ start: z.string().describe('ISO 8601.'), ...TOTALS }))
    .describe('The totals of the plans that started in each interval with plans, oldest first.'),
})

/** The totals of plans, and their course over time. */
export type TotalsJson = z.output<typeof totalsSchema>

export const LIST_ROUTES = {
  'GET /api/records': {
    scope: 'read',
    client: ['list', 'pages', 'plans'],
    summary: 'Returns a page of plans.',
    query: LIST_QUERY,
    answers: { 200: json('The page.', recordPageSchema), ...FOUND },
  },
  'GET /api/facets': {
    scope: 'read',
    client: ['facets'],
    summary: 'Counts the plans, and the plans per value of each facet.',
    query: FACETS_QUERY,
    answers: { 200: json('The counts.', facetsSchema), ...FOUND },
  },
  'GET /api/totals': {
    scope: 'read',
    client: ['totals'],
    summary: 'Returns the totals of plans, and their course over time.',
    query: TOTALS_QUERY,
    answers: { 200: json('The totals.', totalsSchema), ...FOUND },
  },
  'GET /api/events': {
    scope: 'read',
    client: ['listChanges'],
    summary: 'Streams the changes of the first page of a list.',
    query: LIST_EVENTS_QUERY,
    answers: {
      200: {
        description:
          'Server-sent events: `plan` with a Plan that is on the page, enters it or changes; `gone` with the traceId and planId of a plan that leaves the page; `known` after each batch.',
        type: 'text/event-stream',
      },
      ...FOUND,
    },
  },
} as const satisfies RouteTable

/** The body of `POST /api/sql`. */
export const SQL_BODY = z.strictObject({
  sql: z.string().min(1).max(100_000).describe('One SELECT, SHOW, DESCRIBE or EXPLAIN, without FORMAT and SETTINGS.'),
  parameters: z
    .record(z.string().regex(/^\w+$/), z.string())
    .exactOptional()
    .describe('The values of {name:Type} in the query, as text.'),
  rows: z.number().int().min(1).max(10_000).exactOptional().describe('The maximum number of rows, 1000 by default.'),
  bytes: z
    .number()
    .int()
    .min(1)
    .max(4 << 20)
    .exactOptional()
    .describe('The maximum size of the rows in bytes, 1 MiB by default. At least one row is returned.'),
})

/** The response of `POST /api/sql`. */
export const sqlAnswerSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string().describe('A ClickHouse type.') })),
  rows: z.array(z.array(z.unknown())).describe('64-bit integers as text.'),
  cut: z.enum(['rows', 'bytes']).nullable().describe('The limit that was reached; null if all rows are returned.'),
})

/** The rows of an SQL query, with the names and types of their columns. */
export type SqlAnswer = z.output<typeof sqlAnswerSchema>

export const SQL_ROUTES = {
  'POST /api/sql': {
    scope: 'read',
    client: ['sql'],
    summary: 'Runs an SQL query as ClickHouse’s read-only user, and returns the first rows.',
    body: SQL_BODY,
    answers: {
      200: json('The rows.', sqlAnswerSchema),
      400: {
        description: 'ClickHouse rejects the query, or the query exceeds the limits of time or memory.',
        schema: problemSchema,
      },
      403: json('The user may not run the query, or the server has no read-only user.', problemSchema),
      503: FOUND[503],
    },
  },
} as const satisfies RouteTable

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
  failures: tally.describe('Original failures, as in lists.'),
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
