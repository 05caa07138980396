import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import { unixNanoNow } from '../../store/index.js'
import { EXPORT_QUERY, NDJSON } from '../../wire/index.js'
import { addRoute, readQuery, streamedAnswer } from '../http/index.js'
import { exportLine } from '../json/index.js'
import { toPlanFilters } from '../lists/index.js'
import { type Gone, goneOf, type Records } from '../records/index.js'
import { batches, type Batch } from './export-batches.js'
import { inOrder } from './results-in-order.js'

/** A batch is rebuilt while the rows of the next batch are read. */
const AT_ONCE = 2

/**
 * Streams the records of a filtered list as lines of JSON, newest first, as fast as the client reads. A failed export
 * is aborted without a proper end; each line has the cursor with which another export continues after it.
 */
export function exportRoute(records: Records): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/export', async (c) => {
    const { exact = false, format, per, incomplete = false, cursor, ...filters } = readQuery(c, EXPORT_QUERY)
    const now = unixNanoNow()
    const options = {
      ...toPlanFilters(filters, now),
      now,
      ...(format && { format }),
      ...(per && { per }),
      ...(cursor && { cursor }),
    }
    const lines = inOrder(tasks(records, { options, exact, incomplete, gone: goneOf(c) }), AT_ONCE)
    return streamedAnswer(c, lines, NDJSON)
  })

  return app
}

interface Wanted {
  readonly options: Parameters<typeof batches>[1]
  readonly exact: boolean
  readonly incomplete: boolean
  readonly gone: Gone
}

async function* tasks({ reader, rebuilder }: Records, { options, exact, incomplete, gone }: Wanted) {
  const linesOf = async (records: Batch): Promise<Uint8Array> => {
    try {
      return (await rebuilder.run('export', { records, exact, incomplete }, gone)).body
    } catch (error) {
      if (!(error instanceof PlanspanError && error.code === 'record_too_large')) throw error
      const [{ planId, cursor, trace }] = records
      if (records.length === 1)
        return encoder.encode(exportLine(error, { planId, traceId: trace.traceId, cursor, exact }))
      const half = records.length >> 1
      return Buffer.concat([
        await linesOf(records.slice(0, half) as Batch),
        await linesOf(records.slice(half) as Batch),
      ])
    }
  }
  for await (const batch of batches(reader, options)) yield () => linesOf(batch)
}

const encoder = new TextEncoder()
