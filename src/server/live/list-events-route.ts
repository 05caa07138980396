import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import { unixNanoNow } from '../../store/index.js'
import { LIST_EVENTS_QUERY, type PlanJson } from '../../wire/index.js'
import { addRoute, readQuery } from '../http/index.js'
import { toPlanJson } from '../json/index.js'
import { toPlanFilters } from '../lists/index.js'
import type { Records } from '../records/index.js'
import { EVENT_STREAM } from './plan-event-stream.js'
import type { ListFeeds } from './list-feeds.js'
import { listStream } from './list-stream.js'

export interface ListEventsRouteOptions {
  readonly records: Pick<Records, 'reader'>
  readonly lists: ListFeeds
}

/** `GET /api/events`: the changes of the first page of a list, as server-sent events. */
export function listEventsRoute({ records, lists }: ListEventsRouteOptions): Hono {
  const app = new Hono()
  addRoute(app, 'GET /api/events', async (c) => {
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
  return app
}
