import type { ChatUnit, WrittenFormat } from '../../mapping/index.js'
import { type ListedPlan, type ListPlansOptions, type SpanReader, unixNanoNow } from '../../store/index.js'
import type { ExportedRecord } from '../rebuild/index.js'

/** The maximum number of spans per query, unless a single record has more. */
const BATCH_SPANS = 2_000
/** The maximum page size of the list. */
const PAGE = 1_000

/** Records that are read together. */
export type Batch = [ExportedRecord, ...ExportedRecord[]]

export interface BatchOptions extends Omit<ListPlansOptions, 'limit'> {
  /** The format to write the records in. @default each record's own */
  readonly format?: WrittenFormat
  /** The unit of a line of `chat`. */
  readonly per?: ChatUnit
}

/** Yields the records of a filtered list in batches that are read together. The next page is requested ahead. */
export async function* batches(
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
