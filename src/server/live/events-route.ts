import { Hono, type Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { isDone } from '../../semconv/index.js'
import { PLACE_CHOICE } from '../../wire/index.js'
import { addRoute } from '../http/index.js'
import type { FeedTarget } from '../rebuild/index.js'
import { findEvents, findTrace, goneOf, readTarget, recordHeaders, type Records } from '../records/index.js'
import { EVENT_STREAM, eventStream } from './plan-event-stream.js'
import type { PlanFeeds } from './plan-feeds.js'

export interface EventsRouteOptions {
  readonly records: Records
  readonly feeds: PlanFeeds
}

const FORMAT = 'plan-act:sse'

/**
 * A plan's events as ManusX streams them: server-sent events, resumed after the event of `Last-Event-ID`. The
 * events of a live plan are sent as they are found, until the plan is over. A client that has already received all
 * events of a finished plan receives 204, so that an EventSource does not reconnect.
 */
export function eventsRoute({ records, feeds }: EventsRouteOptions): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/records/{id}/events', async (c) => {
    const { id, choice: given } = readTarget(c, PLACE_CHOICE)
    const choice = { ...given, format: FORMAT } as const
    const found = await findTrace(records.reader, id, choice)
    const { kind, trace } = found
    if (trace.live) {
      const target = kind === 'plan' ? { planId: found.id } : { stepId: found.id }
      return streamPlan(c, feeds, { ...target, traceId: trace.traceId })
    }
    const after = c.req.header('last-event-id')
    const record = await findEvents(records, id, { found, choice, after }, goneOf(c))
    const headers = recordHeaders(record)
    return record.eventCount === 0 && isDone(record.state)
      ? nothingMore(c, headers)
      : eventsAnswer(c, record.body, headers)
  })

  return app
}

async function streamPlan(c: Context, feeds: PlanFeeds, target: FeedTarget): Promise<Response> {
  if (feeds.isClosed) {
    throw new PlanspanError('store_unreachable', 'planspan is stopping. Ask again when it runs.')
  }
  const feed = await feeds.open(target)
  if (!feed.events) {
    throw new PlanspanError(
      'not_found',
      `Spans of trace ${target.traceId} are stored, but the span that the events begin with is not. Ask again when it ` +
        'has arrived.',
    )
  }
  const from = feed.log.indexAfter(c.req.header('last-event-id') ?? '')
  const headers = recordHeaders({ ...feed.events, leftOut: [], dialect: FORMAT, traceId: target.traceId })
  if (feed.phase === 'ended' && from === feed.log.length) return nothingMore(c, headers)
  return eventsAnswer(c, eventStream({ feeds, feed, from }), headers)
}

const nothingMore = (c: Context, headers: Record<string, string>): Response =>
  c.body(null, 204, { ...headers, 'cache-control': 'no-store' })

const eventsAnswer = (
  c: Context,
  body: Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string>,
): Response => c.body(body, 200, { ...headers, ...EVENT_STREAM })
