import { Hono, type Context } from 'hono'
import { z } from 'zod'

import { framingOf } from '../mapping/index.js'
import { findRecord, findSpans, goneOf, type Records } from './find-record.js'
import { LIST_FILTERS, toListOptions } from './list-query.js'
import { toPlanJson, type PlanJson } from './plan-json.js'
import { readQuery } from './query.js'
import { recordHeaders } from './record-headers.js'
import { ASKING, RECORD_CHOICE, targetOfPath, targetOfRequest, type RecordTarget } from './record-target.js'

/** The answer of `GET /api/records`. */
export interface RecordPage {
  records: PlanJson[]
  /** The `cursor` parameter of the next page; null on the last page. */
  nextCursor: string | null
}

const LIST_QUERY = z.strictObject({
  ...LIST_FILTERS,
  cursor: z.string().exactOptional(),
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
})

const CONTENT_TYPES = {
  none: 'application/json',
  lines: 'application/jsonl',
  sse: 'text/event-stream; charset=utf-8',
} as const

/** planspan's own read API: the list of plans, a record's exact bytes, and the spans behind it. */
export function recordsRoute(records: Records): Hono {
  const app = new Hono()

  app.get('/api/records', async (c) => {
    const { cursor, limit, ...filters } = readQuery(c, LIST_QUERY)
    const page = await records.reader.listPlans({
      ...toListOptions(filters),
      ...(cursor !== undefined && { cursor }),
      ...(limit !== undefined && { limit }),
    })
    return c.json({ records: page.plans.map(toPlanJson), nextCursor: page.cursor ?? null } satisfies RecordPage)
  })

  const answerRecord = async (c: Context, { id, choice }: RecordTarget): Promise<Response> => {
    const record = await findRecord(records, id, choice, goneOf(c))
    return c.body(record.body, 200, {
      'content-type': CONTENT_TYPES[framingOf(record.dialect) ?? 'none'],
      ...recordHeaders(record),
    })
  }
  const answerSpans = async (c: Context, { id, choice }: RecordTarget): Promise<Response> => {
    const { body } = await findSpans(records, id, choice, goneOf(c))
    return c.body(body, 200, { 'content-type': 'application/json' })
  }

  app.get('/api/records/:planId', (c) => answerRecord(c, targetOfPath(c, RECORD_CHOICE)))
  app.get('/api/records/:planId/spans', (c) => answerSpans(c, targetOfPath(c, RECORD_CHOICE)))
  app.on(ASKING, '/api/record', async (c) => answerRecord(c, await targetOfRequest(c, RECORD_CHOICE)))
  app.on(ASKING, '/api/record/spans', async (c) => answerSpans(c, await targetOfRequest(c, RECORD_CHOICE)))

  return app
}
