import { z } from 'zod'

import { VERDICTS } from '../semconv/index.js'
import type { FACETS, PLAN_ORDERS, PLAN_SORTS } from '../store/index.js'
import { countParameter, FILTERS } from './query-parameters.js'
import { planSchema } from './plan-schema.js'
import { FOUND, json, type RouteTable } from './route-table.js'

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
