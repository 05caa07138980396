import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import type { Selector } from '../../store/index.js'
import { SQL_BODY } from '../../wire/index.js'
import { Limiter } from '../async.js'
import { principalOf, refuseForeignOrigins } from '../guard/index.js'
import { addRoute, checkParameters, readSmallJson } from '../http/index.js'

/** The maximum number of concurrent queries, which multiplies the limits of a query. */
const MAX_AT_ONCE = 2

/** The queries of one client: with tokens, one runs and another waits, so that others have a turn. */
interface Client {
  readonly limiter: Limiter
  asked: number
}

/** `POST /api/sql`: runs a query as ClickHouse's read-only user, if any, and returns the first rows. */
export function sqlRoute({ sql: selector }: { readonly sql?: Pick<Selector, 'select'> }): Hono {
  const app = new Hono()
  const clients = new Map<string | undefined, Client>()
  const all = new Limiter(MAX_AT_ONCE)

  addRoute(app, 'POST /api/sql', refuseForeignOrigins, async (c) => {
    // Pages of other origins can send only other content types without a preflight request.
    if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
      throw new PlanspanError('usage', 'Send {"sql": "…"} as application/json.')
    }
    if (!selector) {
      throw new PlanspanError(
        'access_denied',
        'SQL is closed here: this server works on a ClickHouse of yours and knows no read-only user of it. Ask that ' +
          'ClickHouse itself.',
      )
    }
    const { rows = 1000, bytes = 1 << 20, ...task } = checkParameters(await readSmallJson(c, '{"sql": "…"}'), SQL_BODY)
    const by = principalOf(c)?.name
    const client = clients.get(by) ?? { limiter: new Limiter(by === undefined ? MAX_AT_ONCE : 1), asked: 0 }
    if (client.asked >= MAX_AT_ONCE) {
      throw new PlanspanError(
        'store_busy',
        `${String(client.asked)} queries are being answered. Ask again when they are done.`,
      )
    }
    clients.set(by, client)
    client.asked++
    try {
      const gone = c.req.raw.signal
      const select = () => selector.select({ ...task, rows, bytes, gone })
      const { cut = null, ...answer } = await client.limiter.run(() => all.run(select))
      return c.json({ ...answer, cut })
    } finally {
      if (--client.asked === 0) clients.delete(by)
    }
  })

  return app
}
