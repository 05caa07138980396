import { Hono } from 'hono'

import type { SpanStorage, Store } from '../store/index.js'

/** `/api/storage`: on which disks the spans lie. */
export function storageRoute({ storage }: Pick<Store, 'storage'>): Hono {
  const app = new Hono()
  app.get('/api/storage', async (c) => c.json((await storage()) satisfies SpanStorage))
  return app
}
