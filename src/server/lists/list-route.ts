import { Hono } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { VERDICTS } from '../../semconv/index.js'
import { FACETS, PLAN_ORDERS, PLAN_SORTS, unixNanoNow } from '../../store/index.js'
import { goneOf, type Records } from '../records/find-record.js'
import { listByVerdict } from './list-by-verdict.js'
import { EVENT_STREAM } from '../live/event-stream.js'
import type { ListFeeds } from '../live/list-feeds.js'
import { listStream } from '../live/list-stream.js'
import { FILTERS, toPlanFilters } from './plan-filters.js'
import { type PlanJson, planSchema, toPlanJson } from '../json/plan-json.js'
import { countParameter, readQuery } from '../http/query.js'

/** The parameters of `GET /api/records`. */
export const LIST_QUERY = z.strictObject({
  ...FILTERS,
  verdict: z
    .enum(VERDICTS)
    .exactOptional()
    .describe(
      'Plans whose record is rebuilt with this verdict. Each record is rebuilt to tell, so that pages may be short.',
    ),
  sort: z
    .enum(PLAN_SORTS)
    .exactOptional()
    .describe('What they are sorted by, start unless told. What has none comes last.'),
  order: z.enum(PLAN_ORDERS).exactOptional().describe('desc (the default): newest, longest, most first.'),
  cursor: z.string().exactOptional().describe('Where the page before ended: its nextCursor.'),
  limit: countParameter.exactOptional().describe('1 to 1000 plans; 50 unless told.'),
})

/** The parameters of `GET /api/events`. */
export const LIST_EVENTS_QUERY = LIST_QUERY.omit({ verdict: true, cursor: true })

/** The answer of `GET /api/records`. */
export const recordPageSchema = z.object({
  records: z.array(planSchema),
  nextCursor: z.string().nullable().describe('The cursor parameter of the next page; null on the last page.'),
})

/** A page of the list of plans, and where the next begins. */
export type RecordPage = z.output<typeof recordPageSchema>

/** The parameters of `GET /api/facets`. */
export const FACETS_QUERY = z.strictObject({
  ...FILTERS,
  limit: countParameter.exactOptional().describe('1 to 1000 values of each facet; 100 unless told.'),
})

const countsSchema = z.array(z.object({ value: z.string(), plans: z.number().int() }))

/** The answer of `GET /api/facets`. */
export const facetsSchema = z.object({
  plans: z.number().int().describe('How many plans there are.'),
  facets: z
    .object(
      Object.fromEntries(FACETS.map((facet) => [facet, countsSchema])) as Record<
        (typeof FACETS)[number],
        typeof countsSchema
      >,
    )
    .describe('Of each facet the values, and how many of the plans have them; most first.'),
})

/** How many plans have which values. */
export type FacetsJson = z.output<typeof facetsSchema>

/** The list of plans, and what there is among them. */
export function listRoute({ records, lists }: { readonly records: Records; readonly lists: ListFeeds }): Hono {
  const app = new Hono()

  app.get('/api/records', async (c) => {
    const { verdict, sort, order, cursor, limit, ...filters } = readQuery(c, LIST_QUERY)
    const now = unixNanoNow()
    const options = {
      ...toPlanFilters(filters, now),
      ...(sort && { sort }),
      ...(order && { order }),
      ...(cursor !== undefined && { cursor }),
      ...(limit !== undefined && { limit }),
      now,
    }
    const { plans, cursor: next } = verdict
      ? await listByVerdict(records, { options, verdict }, goneOf(c))
      : await records.reader.listPlans(options)
    return c.json({ records: plans.map(toPlanJson), nextCursor: next ?? null } satisfies RecordPage)
  })

  app.get('/api/events', async (c) => {
    const { sort, order, limit, ...filters } = readQuery(c, LIST_EVENTS_QUERY)
    if (lists.isClosed) {
      throw new PlanspanError('store_unreachable', 'planspan is stopping. Ask again when it runs.')
    }
    const read = async (): Promise<PlanJson[]> => {
      const now = unixNanoNow()
      const chosen = { ...toPlanFilters(filters, now), ...(sort && { sort }), ...(order && { order }) }
      const { plans } = await records.reader.listPlans({ ...chosen, ...(limit !== undefined && { limit }), now })
      return plans.map(toPlanJson)
    }
    const key = JSON.stringify(Object.entries(c.req.query()).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return c.body(listStream(lists, key, await lists.open(key, read)), 200, EVENT_STREAM)
  })

  app.get('/api/facets', async (c) => {
    const { limit, ...filters } = readQuery(c, FACETS_QUERY)
    const now = unixNanoNow()
    const found = await records.reader.countFacets({
      ...toPlanFilters(filters, now),
      ...(limit !== undefined && { values: limit }),
      now,
    })
    return c.json(found satisfies FacetsJson)
  })

  return app
}
