import { PlanspanError } from '../../error.js'
import type { ListedPlan, ListPlansOptions, SpanReader } from '../../store/index.js'

/** A batch is processed while the rows of the next batch are read. */
const AT_ONCE = 2
/** The maximum number of spans per query, unless a single plan has more. */
const BATCH_SPANS = 2_000
/** The maximum page size of the list. */
const PAGE = 1_000

/** Plans whose rows are read together, as the task needs them. */
export type Batch<T> = readonly [T, ...T[]]

/** Yields the plans of a filtered list in batches that are read together. The next page is requested ahead. */
export async function* planBatches<T>(
  reader: Pick<SpanReader, 'listPlans'>,
  options: ListPlansOptions,
  make: (plan: ListedPlan) => T,
): AsyncGenerator<Batch<T>, void, undefined> {
  let batch: [T, ...T[]] | undefined
  let spans = 0
  for await (const plans of pages(reader, options)) {
    for (const plan of plans) {
      const item = make(plan)
      spans += plan.spans
      if (batch && spans <= BATCH_SPANS) {
        batch.push(item)
        continue
      }
      if (batch) yield batch
      batch = [item]
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

/** The bytes of a batch, and of a plan that is too large. */
interface Lines<T> {
  readonly of: (batch: Batch<T>) => Promise<Uint8Array>
  readonly problem: (plan: T, error: PlanspanError) => string
}

/** Yields the lines of all batches, in their order. A batch that is too large is halved. */
export function linesOfBatches<T>(
  batches: AsyncIterable<Batch<T>>,
  { of, problem }: Lines<T>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const linesOf = async (batch: Batch<T>): Promise<Uint8Array> => {
    try {
      return await of(batch)
    } catch (error) {
      if (!(error instanceof PlanspanError && error.code === 'record_too_large')) throw error
      if (batch.length === 1) return encoder.encode(problem(batch[0], error))
      const half = batch.length >> 1
      const parts = [batch.slice(0, half), batch.slice(half)] as unknown as [Batch<T>, Batch<T>]
      return Buffer.concat([await linesOf(parts[0]), await linesOf(parts[1])])
    }
  }
  async function* tasks() {
    for await (const batch of batches) yield () => linesOf(batch)
  }
  return inOrder(tasks(), AT_ONCE)
}

const encoder = new TextEncoder()

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
