import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import { unixNanoNow } from '../../store/index.js'
import { LIST_EVENTS_QUERY, type PlanJson } from '../../wire/index.js'
import { addRoute, readQuery } from '../http/index.js'
import { toPlanJson } from '../json/index.js'
import { toPlanFilters } from '../lists/index.js'
import type { Records } from '../records/index.js'
import { changeStream } from './change-stream.js'
import type { ListFeed, ListFeeds } from './list-feeds.js'
import { EVENT_STREAM } from './plan-event-stream.js'

interface ListEventsRouteOptions {
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

const KNOWN = 'event: known\r\ndata: {}\r\n\r\n'

const idOf = ({ traceId, planId }: Pick<PlanJson, 'traceId' | 'planId'>): string => `${traceId} ${planId}`

/**
 * Streams the changes of a list as server-sent events until all feeds are closed: `plan` for each plan that is in the
 * list, enters it or changes, `gone` for each plan that leaves it, and `known` after each batch.
 */
function listStream(feeds: ListFeeds, key: string, feed: ListFeed): ReadableStream<Uint8Array> {
  let known = new Map<string, { readonly plan: PlanJson; readonly json: string }>()
  const changes = (): string => {
    const now = new Map(feed.rows.map((plan) => [idOf(plan), { plan, json: JSON.stringify(plan) }]))
    const gone = [...known].filter(([id]) => !now.has(id)).map(([, { plan }]) => frame('gone', goneJson(plan)))
    const changed = [...now]
      .filter(([id, { json }]) => known.get(id)?.json !== json)
      .map(([, { json }]) => frame('plan', json))
    known = now
    return [...gone, ...changed].join('')
  }
  return changeStream({
    first: `${changes()}${KNOWN}`,
    watch: (onRead) => feeds.watch(key, feed, onRead),
    next() {
      if (feeds.isClosed) return undefined
      const text = changes()
      return text === '' ? '' : `${text}${KNOWN}`
    },
  })
}

const frame = (event: string, json: string): string => `event: ${event}\r\ndata: ${json}\r\n\r\n`

const goneJson = ({ traceId, planId }: PlanJson): string => JSON.stringify({ traceId, planId })
