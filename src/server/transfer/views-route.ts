import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import { PLAN_VIEWS, type PlanView, unixNanoNow } from '../../store/index.js'
import { PARQUET, VIEW_QUERY } from '../../wire/index.js'
import { addRoute, pathParameter, readQuery, streamedAnswer } from '../http/index.js'
import { toPlanFilters } from '../lists/index.js'
import type { Records } from '../records/index.js'

/** Returns the rows of an SQL view for the plans of a filtered list, as Parquet, which ClickHouse writes. */
export function viewsRoute({ reader }: Pick<Records, 'reader'>): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/views/{view}', async (c) => {
    const view = pathParameter(c, 'view')
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
