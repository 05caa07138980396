import { PlanspanError } from '../../error.js'

export interface GroupCommitOptions<Item, Result> {
  /** Stores a batch; one result an item, in their order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly size: (item: Item) => { readonly spans: number; readonly bytes: number }
  /** Where a batch ends; an item beyond it makes a batch of its own. */
  readonly maxBatchSpans: number
  readonly maxBatchBytes: number
  readonly maxQueuedSpans: number
  readonly maxQueuedBytes: number
  /** Milliseconds without a new item that end the gathering of a batch. */
  readonly quietMs: number
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly spans: number
  readonly bytes: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * One batch is being committed at a time; what arrives meanwhile waits and becomes the next. An item that finds nothing
 * under way is committed at once, so that a client with one request at a time never waits for a clock. Where several
 * were under way when a batch ended, their senders are about to send again, and a moment is waited for them: until as
 * many wait, none has come for a while, or the wait has taken as long as the batch. Else they would take turns in
 * batches of part the size.
 */
export class GroupCommit<Item, Result> {
  private readonly options: GroupCommitOptions<Item, Result>
  private waiting: Waiting<Item, Result>[] = []
  private queuedSpans = 0
  private queuedBytes = 0
  private running: Promise<void> | undefined
  private closed = false
  private onArrival: (() => void) | undefined

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.options = options
  }

  /** Resolves when the item's batch is committed. Throws `store_busy` at once when the queue is full. */
  add(item: Item): Promise<Result> {
    const { spans, bytes } = this.options.size(item)
    if (this.closed)
      throw new PlanspanError('store_busy', 'planspan is stopping and takes no more spans. Send them again.')
    const { maxQueuedSpans, maxQueuedBytes } = this.options
    const isFull = this.queuedSpans + spans > maxQueuedSpans || this.queuedBytes + bytes > maxQueuedBytes
    // A request larger than the whole queue still has its turn when nothing waits.
    if (isFull && this.queuedSpans > 0) {
      throw new PlanspanError(
        'store_busy',
        `${this.queuedSpans} spans (${this.queuedBytes} bytes) wait for ClickHouse already. Send these ${spans} again later.`,
      )
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, spans, bytes, resolve, reject })
      this.queuedSpans += spans
      this.queuedBytes += bytes
      this.onArrival?.()
      this.running ??= this.run()
    })
  }

  /** Takes no more and resolves when all that waits is committed or has failed. */
  async close(): Promise<void> {
    this.closed = true
    this.onArrival?.()
    await this.running
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.takeBatch()
      const begun = performance.now()
      const [outcome] = await Promise.allSettled([this.options.commit(batch.map(({ item }) => item))])
      const underWay = batch.length + this.waiting.length
      this.answer(batch, outcome)
      if (underWay > 1) await this.gather(underWay, performance.now() - begun)
    }
    this.running = undefined
  }

  private answer(batch: readonly Waiting<Item, Result>[], outcome: PromiseSettledResult<readonly Result[]>): void {
    for (const [index, { spans, bytes, resolve, reject }] of batch.entries()) {
      // Counted until it is stored: the bound is on the memory it takes.
      this.queuedSpans -= spans
      this.queuedBytes -= bytes
      const result = outcome.status === 'fulfilled' ? outcome.value[index] : undefined
      if (result !== undefined) resolve(result)
      else if (outcome.status === 'rejected') reject(outcome.reason)
      else reject(new PlanspanError('clickhouse_failed', 'A batch has fewer results than requests. Report this.'))
    }
  }

  /** Resolves when `count` items or a full batch wait, when nothing more seems to come, or after `limitMs`. */
  private gather(count: number, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(quiet)
        clearTimeout(limit)
        this.onArrival = undefined
        resolve()
      }
      const quiet = setTimeout(end, this.options.quietMs)
      const limit = setTimeout(end, limitMs)
      this.onArrival = () => {
        if (this.closed || this.isFull() || this.waiting.length >= count) end()
        else quiet.refresh()
      }
      this.onArrival()
    })
  }

  private isFull(): boolean {
    return this.queuedSpans >= this.options.maxBatchSpans || this.queuedBytes >= this.options.maxBatchBytes
  }

  private takeBatch(): Waiting<Item, Result>[] {
    let spans = 0
    let bytes = 0
    let count = 0
    for (const next of this.waiting) {
      spans += next.spans
      bytes += next.bytes
      if (count > 0 && (spans > this.options.maxBatchSpans || bytes > this.options.maxBatchBytes)) break
      count++
    }
    return this.waiting.splice(0, count)
  }
}
