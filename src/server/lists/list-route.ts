import { Hono } from 'hono'

import { unixNanoNow } from '../../store/index.js'
import { FACETS_QUERY, type FacetsJson, LIST_QUERY, type RecordPage } from '../../wire/index.js'
import { addRoute, readQuery } from '../http/index.js'
import { toPlanJson } from '../json/index.js'
import { goneOf, type Records } from '../records/index.js'
import { listByVerdict } from './list-by-verdict.js'
import { toPlanFilters } from './to-plan-filters.js'

/** The list of plans, and the counts of their values. */
export function listRoute(records: Records): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/records', async (c) => {
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

  addRoute(app, 'GET /api/facets', async (c) => {
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
