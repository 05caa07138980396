import { changeStream } from './change-stream.js'
import type { PlanJson } from '../../wire/index.js'
import type { ListFeed } from './list-feed.js'
import type { ListFeeds } from './list-feeds.js'

const KNOWN = 'event: known\r\ndata: {}\r\n\r\n'

const idOf = ({ traceId, planId }: Pick<PlanJson, 'traceId' | 'planId'>): string => `${traceId} ${planId}`

/**
 * Streams the changes of a list as server-sent events until all feeds are closed: `plan` for each plan that is in the
 * list, enters it or changes, `gone` for each plan that leaves it, and `known` after each batch.
 */
export function listStream(feeds: ListFeeds, key: string, feed: ListFeed): ReadableStream<Uint8Array> {
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
