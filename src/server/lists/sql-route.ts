import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import type { Selector } from '../../store/index.js'
import { SQL_BODY } from '../../wire/index.js'
import { refuseForeignOrigins } from '../guard/index.js'
import { addRoute, checkParameters, readSmallJson } from '../http/index.js'

/** How many queries are answered at once; what they may take together is so many times what one may. */
const MAX_AT_ONCE = 2

/** `POST /api/sql`: the beginning of the answer to a query, by ClickHouse's read-only user where the server has one. */
export function sqlRoute({ sql: selector }: { readonly sql?: Pick<Selector, 'select'> }): Hono {
  const app = new Hono()
  let asked = 0

  addRoute(app, 'POST /api/sql', refuseForeignOrigins, async (c) => {
    // What a page of another origin may send without being asked first is of another type.
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
