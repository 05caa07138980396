import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import type { Selector } from '../../store/index.js'
import { SQL_BODY } from '../../wire/index.js'
import { refuseForeignOrigins } from '../guard/index.js'
import { addRoute, checkParameters, readSmallJson } from '../http/index.js'

/** The maximum number of concurrent queries, which multiplies the limits of a query. */
const MAX_AT_ONCE = 2

/** `POST /api/sql`: runs a query as ClickHouse's read-only user, if any, and returns the first rows. */
export function sqlRoute({ sql: selector }: { readonly sql?: Pick<Selector, 'select'> }): Hono {
  const app = new Hono()
  let asked = 0

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
    if (asked >= MAX_AT_ONCE) {
      throw new PlanspanError(
        'store_busy',
        `${String(asked)} queries are being answered. Ask again when they are done.`,
      )
    }
    asked++
    try {
      const { cut = null, ...answer } = await selector.select({ ...task, rows, bytes })
      return c.json({ ...answer, cut })
    } finally {
      asked--
    }
  })

  return app
}
