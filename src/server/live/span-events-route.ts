import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import { unixNanoNow } from '../../store/index.js'
import { SPAN_EVENTS_CHOICE } from '../../wire/index.js'
import { addRoute } from '../http/index.js'
import type { KnownSpans, SpanChanges } from '../rebuild/index.js'
import { findTrace, goneOf, readTarget } from '../records/index.js'
import { changeStream } from './change-stream.js'
import type { EventsRouteOptions } from './events-route.js'
import { EVENT_STREAM } from './plan-event-stream.js'
import type { PlanFeed } from './plan-feed.js'
import type { PlanFeeds } from './plan-feeds.js'

const NOTHING: KnownSpans = new Map()

/**
 * Streams the spans behind a record as server-sent events, as in `/spans` or in the structure: the stored spans, then
 * each new or changed span while the plan runs. A client resumes with the last id. After the end of a plan it receives
 * 204.
 */
export function spanEventsRoute({ records, feeds }: EventsRouteOptions): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/records/{id}/spans/events', async (c) => {
    const { id, choice } = readTarget(c, SPAN_EVENTS_CHOICE)
    const [{ kind, trace, id: found }, prices] = await Promise.all([
      findTrace(records.reader, id, choice),
      records.reader.modelPrices(),
    ])
    const { fields } = choice
    const read = async (known: KnownSpans): Promise<SpanChanges> =>
      records.rebuilder.run('spanChanges', { trace, now: unixNanoNow(), prices, known, fields }, goneOf(c))
    if (feeds.isClosed) {
      throw new PlanspanError('store_unreachable', 'planspan is stopping. Ask again when it runs.')
    }
    const target = { ...(kind === 'plan' ? { planId: found } : { stepId: found }), traceId: trace.traceId }
    const feed = trace.live ? await feeds.open(target) : undefined
    const changes = await read(NOTHING)
    const isKnown = c.req.header('last-event-id') === changes.checksum
    if (isKnown && (!feed || feed.phase === 'ended')) return c.body(null, 204, { 'cache-control': 'no-store' })
    const first = isKnown ? { ...changes, frames: [] } : changes
    return c.body(feed ? spanStream({ feeds, feed, read, first }) : changesText(first), 200, EVENT_STREAM)
  })

  return app
}

interface SpanStreamOptions {
  readonly feeds: PlanFeeds
  /** Signals new rows of the trace. */
  readonly feed: PlanFeed
  /** Reads what a client does not have. */
  readonly read: (known: KnownSpans) => Promise<SpanChanges>
  /** The first changes to send, and the spans that the client then has. */
  readonly first: SpanChanges
}

/** The changes to send to a client: spans, and the id from which it can resume. */
const changesText = ({ frames, checksum }: SpanChanges): string =>
  `${frames.join('')}id: ${checksum}\r\nevent: known\r\ndata: {}\r\n\r\n`

/**
 * Streams a plan's spans as server-sent events: the stored spans, then each new or changed span, until the plan has
 * ended or all feeds are closed. After each batch, an event `known` has the id from which a client can resume.
 */
function spanStream({ feeds, feed, read, first }: SpanStreamOptions): ReadableStream<Uint8Array> {
  let { known } = first
  let { reads } = feed
  return changeStream({
    first: changesText(first),
    watch: (onChange) => feeds.watch(feed, onChange),
    async next() {
      if (feeds.isClosed || feed.isErased) return undefined
      const isEnded = feed.phase === 'ended'
      if (feed.reads !== reads) {
        reads = feed.reads
        const changes = await read(known)
        known = changes.known
        if (changes.frames.length > 0) return changesText(changes)
      }
      return isEnded ? undefined : ''
    },
  })
}
