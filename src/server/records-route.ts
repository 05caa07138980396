import { Hono, type Context } from 'hono'

import { framingOf } from '../mapping/index.js'
import { findRecord, findSpans, goneOf, type Records } from './find-record.js'
import { recordHeaders } from './record-headers.js'
import { ASKING, RECORD_CHOICE, targetOfPath, targetOfRequest, type RecordTarget } from './record-target.js'

const CONTENT_TYPES = {
  none: 'application/json',
  lines: 'application/jsonl',
  sse: 'text/event-stream; charset=utf-8',
} as const

/** A record's exact bytes, and the spans behind it. */
export function recordsRoute(records: Records): Hono {
  const app = new Hono()

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
