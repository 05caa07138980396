import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import { addRoute, pathParameter } from '../http/index.js'
import { goneOf, type Records } from './find-record.js'

const TRACE_ID = /^[\da-f]{32}$/

/** Explains how planspan interprets each span of a trace. */
export function traceRoute({ reader, rebuilder }: Records): Hono {
  const app = new Hono()
  addRoute(app, 'GET /api/traces/{traceId}/reading', async (c) => {
    const traceId = pathParameter(c, 'traceId').toLowerCase()
    if (!TRACE_ID.test(traceId)) {
      throw new PlanspanError('usage', `${JSON.stringify(traceId)} is not a trace id, which has 32 hex digits.`)
    }
    if (!(await reader.hasTrace(traceId))) {
      throw new PlanspanError('not_found', `No trace ${traceId} is stored.`)
    }
    const { body } = await rebuilder.run('reading', { traceId }, goneOf(c))
    return c.body(body, 200, { 'content-type': 'application/json' })
  })
  return app
}
