import { Hono } from 'hono'
import { z } from 'zod'

import { withEventIds } from '../mapping/index.js'
import type { State } from '../semconv/index.js'
import type { SpanReader } from '../store/index.js'
import { findRecord } from './find-record.js'
import { readQuery } from './query.js'
import { recordHeaders } from './record-headers.js'

const EVENTS_QUERY = z.strictObject({
  source: z.string().exactOptional(),
  trace: z.string().exactOptional(),
})

const OVER: ReadonlySet<State> = new Set(['completed', 'failed', 'cancelled'])

/**
 * A plan's past as ManusX streams it: server-sent events, resumed after the event that `Last-Event-ID` names. A client
 * that has seen all of a plan that is over gets 204, upon which it does not ask again.
 */
export function eventsRoute(reader: SpanReader): Hono {
  const app = new Hono()

  app.get('/api/records/:planId/events', async (c) => {
    const choice = readQuery(c, EVENTS_QUERY)
    const record = await findRecord(reader, c.req.param('planId'), { ...choice, format: 'plan-act:sse' })
    const { text, eventCount } = withEventIds(record.text, c.req.header('last-event-id'))
    const headers = { ...recordHeaders(record), 'cache-control': 'no-store' }
    if (eventCount === 0 && OVER.has(record.state)) return c.body(null, 204, headers)
    return c.body(text, 200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })
  })

  return app
}
