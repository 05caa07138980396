import { Hono } from 'hono'

import type { SpanTimes } from '../../semconv/index.js'
import type { Store } from '../../store/index.js'
import { isoOf } from '../../mapping/index.js'
import type { StorageReport } from '../../wire/index.js'
import { addRoute } from '../http/index.js'

export interface StorageRouteOptions {
  readonly store: Pick<Store, 'storage'>
  readonly spanTimes?: () => SpanTimes
}

/** `/api/storage` returns the disks that store the spans, and the accepted times of spans. */
export function storageRoute({ store, spanTimes }: StorageRouteOptions): Hono {
  const app = new Hono()
  addRoute(app, 'GET /api/storage', async (c) => {
    const times = spanTimes?.()
    const report: StorageReport = {
      ...(await store.storage()),
      spanTimes: times ? { from: isoOf(times.from), until: isoOf(times.until) } : null,
    }
    return c.json(report)
  })
  return app
}
