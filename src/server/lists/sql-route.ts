import { Hono } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import type { Selector } from '../../store/index.js'
import { refuseForeignOrigins } from '../guard/host-guards.js'
import { checkParameters } from '../http/query.js'
import { readSmallJson } from '../http/small-body.js'

/** How many queries are answered at once; what they may take together is so many times what one may. */
const MAX_AT_ONCE = 2

/** The body of `POST /api/sql`. */
export const SQL_BODY = z.strictObject({
  sql: z.string().min(1).max(100_000).describe('One SELECT, SHOW, DESCRIBE or EXPLAIN, without FORMAT and SETTINGS.'),
  parameters: z
    .record(z.string().regex(/^\w+$/), z.string())
    .exactOptional()
    .describe('The values of {name:Type} in it, as text.'),
  rows: z.number().int().min(1).max(10_000).exactOptional().describe('At most so many rows; 1000 unless told.'),
  bytes: z
    .number()
    .int()
    .min(1)
    .max(4 << 20)
    .exactOptional()
    .describe('At most so many bytes of rows, but one row at least; 1 MiB unless told.'),
})

/** The answer of `POST /api/sql`. */
export const sqlAnswerSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string().describe('ClickHouse’s.') })),
  rows: z.array(z.array(z.unknown())).describe('64-bit integers as text.'),
  cut: z.enum(['rows', 'bytes']).nullable().describe('What there was too much of; null where these are all rows.'),
})

/** The rows of an SQL query, with the names and types of their columns. */
export type SqlAnswer = z.output<typeof sqlAnswerSchema>

/** `POST /api/sql`: the beginning of the answer to a query, by ClickHouse's read-only user where the server has one. */
export function sqlRoute({ sql: selector }: { readonly sql?: Pick<Selector, 'select'> }): Hono {
  const app = new Hono()
  let asked = 0

  app.post('/api/sql', refuseForeignOrigins, async (c) => {
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
