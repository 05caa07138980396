import { Hono } from 'hono'

import { PlanspanError } from '../../error.js'
import type { ChatUnit, WrittenFormat } from '../../mapping/index.js'
import {
  unixNanoNow,
  PLAN_VIEWS,
  type ListedPlan,
  type ListPlansOptions,
  type SpanReader,
  type PlanView,
} from '../../store/index.js'
import { EXPORT_QUERY, NDJSON, PARQUET, VIEW_QUERY } from '../../wire/index.js'
import { addRoute, readQuery, streamedAnswer, pathParameter } from '../http/index.js'
import { exportLine } from '../json/index.js'
import { toPlanFilters } from '../lists/index.js'
import type { ExportedRecord } from '../rebuild/index.js'
import { goneOf, type Gone, type Records } from '../records/index.js'

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

/** The maximum number of spans per query, unless a single record has more. */
const BATCH_SPANS = 2_000
/** The maximum page size of the list. */
const PAGE = 1_000

/** Records that are read together. */
type Batch = [ExportedRecord, ...ExportedRecord[]]

interface BatchOptions extends Omit<ListPlansOptions, 'limit'> {
  /** The format to write the records in. @default each record's own */
  readonly format?: WrittenFormat
  /** The unit of a line of `chat`. */
  readonly per?: ChatUnit
}

/** Yields the records of a filtered list in batches that are read together. The next page is requested ahead. */
async function* batches(
  reader: Pick<SpanReader, 'listPlans'>,
  { format, per, ...options }: BatchOptions,
): AsyncGenerator<Batch, void, undefined> {
  const now = options.now ?? unixNanoNow()
  let batch: Batch | undefined
  let spans = 0
  for await (const plans of pages(reader, { ...options, now })) {
    for (const plan of plans) {
      const record = exportedRecord(plan, { format, per, now })
      spans += plan.spans
      if (batch && spans <= BATCH_SPANS) {
        batch.push(record)
        continue
      }
      if (batch) yield batch
      batch = [record]
      spans = plan.spans
    }
  }
  if (batch) yield batch
}

async function* pages(
  { listPlans }: Pick<SpanReader, 'listPlans'>,
  options: ListPlansOptions,
): AsyncGenerator<readonly ListedPlan[], void, undefined> {
  let page = listPlans({ ...options, limit: PAGE })
  for (;;) {
    const { plans, cursor } = await page
    if (cursor === undefined) return yield plans
    page = listPlans({ ...options, limit: PAGE, cursor })
    // Ignores the failure of a page that is never read.
    void page.catch(() => {})
    yield plans
  }
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

/** Runs up to `count` tasks at once, and yields their results in the order of the tasks. */
export async function* inOrder<T>(
  tasks: AsyncIterable<() => Promise<T>>,
  count: number,
): AsyncGenerator<T, void, undefined> {
  const underWay: Promise<T>[] = []
  for await (const task of tasks) {
    const result = task()
    // The rejection is handled when the result is awaited.
    void result.catch(() => {})
    underWay.push(result)
    const [first] = underWay
    if (first && underWay.length >= count) {
      yield await first
      void underWay.shift()
    }
  }
  for (const result of underWay) yield await result
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
