import { Hono, type Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { unixNanoNow } from '../../store/index.js'
import type { EventsRouteOptions } from './events-route.js'
import { findTrace, goneOf } from '../records/find-record.js'
import { EVENT_STREAM } from './event-stream.js'
import type { KnownSpans, SpanChanges } from '../rebuild/span-changes.js'
import { changesText, spanStream } from './span-stream.js'
import {
  ASKING,
  SPAN_EVENTS_CHOICE,
  targetOfPath,
  targetOfRequest,
  type RecordTarget,
} from '../records/record-target.js'

const NOTHING: KnownSpans = new Map()

/**
 * The spans behind a record as server-sent events, each as `/spans` or the structure tells of it: those that are
 * stored, then each that comes or changes while the plan runs. A client that names the last id has had all before it;
 * of a plan that is over it gets 204.
 */
export function spanEventsRoute({ records, feeds }: EventsRouteOptions): Hono {
  const app = new Hono()

  const answer = async (c: Context, { id, choice }: RecordTarget): Promise<Response> => {
    const { kind, trace } = await findTrace(records.reader, id, choice)
    const fields = choice.fields === 'structure' ? choice.fields : undefined
    const read = async (known: KnownSpans): Promise<SpanChanges> =>
      records.rebuilder.run('spanChanges', { trace, now: unixNanoNow(), known, fields }, goneOf(c))
    if (feeds.isClosed) {
      throw new PlanspanError('store_unreachable', 'planspan is stopping. Ask again when it runs.')
    }
    const target = { ...(kind === 'plan' ? { planId: id } : { stepId: id }), traceId: trace.traceId }
    const feed = trace.live ? await feeds.open(target) : undefined
    const changes = await read(NOTHING)
    const isKnown = c.req.header('last-event-id') === changes.checksum
    if (isKnown && (!feed || feed.phase === 'ended')) return c.body(null, 204, { 'cache-control': 'no-store' })
    const first = isKnown ? { ...changes, frames: [] } : changes
    return c.body(feed ? spanStream({ feeds, feed, read, first }) : changesText(first), 200, EVENT_STREAM)
  }

  app.get('/api/records/:planId/spans/events', (c) => answer(c, targetOfPath(c, SPAN_EVENTS_CHOICE)))
  app.on(ASKING, '/api/record/spans/events', async (c) => answer(c, await targetOfRequest(c, SPAN_EVENTS_CHOICE)))

  return app
}
