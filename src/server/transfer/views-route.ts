import { Hono } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { PLAN_VIEWS, type PlanView, unixNanoNow } from '../../store/index.js'
import type { Records } from '../records/find-record.js'
import { FILTERS, toPlanFilters } from '../lists/plan-filters.js'
import { readQuery } from '../http/query.js'
import { streamedAnswer } from '../http/streamed-answer.js'

/** The parameters of `GET /api/views/{view}`. */
export const VIEW_QUERY = z.strictObject(FILTERS)

/** The media type of Parquet. */
export const PARQUET = 'application/vnd.apache.parquet'

/** The rows that the views of SQL have of the plans of a filtered list, as Parquet, which ClickHouse writes. */
export function viewsRoute({ reader }: Pick<Records, 'reader'>): Hono {
  const app = new Hono()

  app.get('/api/views/:view', async (c) => {
    const view = c.req.param('view')
    if (!isView(view)) {
      const known = PLAN_VIEWS.join(', ')
      throw new PlanspanError('not_found', `There is no view ${JSON.stringify(view)} of plans. Views are ${known}.`)
    }
    const now = unixNanoNow()
    const rows = reader.streamView(view, { ...toPlanFilters(readQuery(c, VIEW_QUERY), now), now })
    return streamedAnswer(c, rows, PARQUET)
  })

  return app
}

const isView = (name: string): name is PlanView => PLAN_VIEWS.some((view) => view === name)
