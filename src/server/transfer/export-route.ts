import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import type { ChatUnit, WrittenFormat } from '../../mapping/index.js'
import { unixNanoNow, PLAN_VIEWS, type ListedPlan, type PlanView } from '../../store/index.js'
import { EXPORT_QUERY, NDJSON, PARQUET, VIEW_QUERY } from '../../wire/index.js'
import { addRoute, readQuery, streamedAnswer, pathParameter } from '../http/index.js'
import { exportLine } from '../json/index.js'
import { toPlanFilters } from '../lists/index.js'
import type { ExportedRecord } from '../rebuild/index.js'
import { goneOf, type Records } from '../records/index.js'
import { linesOfBatches, planBatches } from './plan-batches.js'

/**
 * Streams the records of a filtered list as lines of JSON, newest first, as fast as the client reads. A failed export
 * is aborted without a proper end; each line has the cursor with which another export continues after it.
 */
export function exportRoute({ reader, rebuilder }: Records): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/export', async (c) => {
    const { exact = false, format, per, incomplete = false, cursor, ...filters } = readQuery(c, EXPORT_QUERY)
    const now = unixNanoNow()
    const options = { ...toPlanFilters(filters, now), now, ...(cursor && { cursor }) }
    const batches = planBatches(reader, options, (plan) => exportedRecord(plan, { format, per, now }))
    const gone = goneOf(c)
    const lines = linesOfBatches(batches, {
      of: async (batch) => (await rebuilder.run('export', { records: batch, exact, incomplete }, gone)).body,
      problem: ({ planId, cursor: after, trace }, error) =>
        exportLine(error, { planId, traceId: trace.traceId, cursor: after, exact }),
    })
    return streamedAnswer(c, lines, NDJSON)
  })

  return app
}

function exportedRecord(
  plan: ListedPlan,
  { format, per, now }: { format: WrittenFormat | undefined; per: ChatUnit | undefined; now: bigint },
): ExportedRecord {
  const { planId, traceId, live, dialect, source, recordKey, cursor } = plan
  return {
    planId,
    cursor,
    trace: { traceId, live, dialect, source, recordKey },
    joined: format !== undefined && format !== dialect,
    options: { planId, now, ...(format !== undefined && { format }), ...(per !== undefined && { chatUnit: per }) },
  }
}

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
