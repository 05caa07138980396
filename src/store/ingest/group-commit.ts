import { PlanspanError } from '../../error.js'

export interface GroupCommitOptions<Item, Result> {
  /** Stores a batch; returns one result per item, in order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly size: (item: Item) => { readonly spans: number; readonly bytes: number }
  /** The largest batch; a larger item makes a batch of its own. */
  readonly maxBatchSpans: number
  readonly maxBatchBytes: number
  readonly maxQueuedSpans: number
  readonly maxQueuedBytes: number
  /** The time without a new item after which a batch is complete, milliseconds. */
  readonly quietMs: number
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly spans: number
  readonly bytes: number
  /** When it has waited for others long enough, as `performance.now()` tells time. */
  readonly due: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Commits one batch at a time; items that arrive meanwhile form the next batch. An item that arrives while nothing is
 * being committed is committed at once, so that a client with one request at a time never waits for a timer. Only items
 * that may wait do so, until one that may not is there. After a batch of several items their senders are about to send
 * again, so the next batch waits briefly for them: until as many items are queued, none has arrived for a while, or the
 * wait has taken as long as the batch did. Without this wait the senders would alternate in batches of part the size.
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

  /**
   * Resolves when the item's batch is committed, which it may let wait `patienceMs` for others. Throws `store_busy` at
   * once when the queue is full.
   */
  add(item: Item, patienceMs = 0): Promise<Result> {
    const { spans, bytes } = this.options.size(item)
    if (this.closed)
      throw new PlanspanError('store_busy', 'planspan is stopping and takes no more spans. Send them again.')
    const { maxQueuedSpans, maxQueuedBytes } = this.options
    const isFull = this.queuedSpans + spans > maxQueuedSpans || this.queuedBytes + bytes > maxQueuedBytes
    // A request larger than the whole queue is still accepted when nothing else is queued.
    if (isFull && this.queuedSpans > 0) {
      throw new PlanspanError(
        'store_busy',
        `${this.queuedSpans} spans (${this.queuedBytes} bytes) wait for ClickHouse already. Send these ${spans} again later.`,
      )
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, spans, bytes, due: performance.now() + patienceMs, resolve, reject })
      this.queuedSpans += spans
      this.queuedBytes += bytes
      this.onArrival?.()
      this.running ??= this.run()
    })
  }

  /** Stops accepting items; resolves when all queued ones are committed or have failed. */
  async close(): Promise<void> {
    this.closed = true
    this.onArrival?.()
    await this.running
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      if (!this.isDue()) await this.untilDue()
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
      // An item counts until it is stored, since the limit is on memory.
      this.queuedSpans -= spans
      this.queuedBytes -= bytes
      const result = outcome.status === 'fulfilled' ? outcome.value[index] : undefined
      if (result !== undefined) resolve(result)
      else if (outcome.status === 'rejected') reject(outcome.reason)
      else reject(new PlanspanError('clickhouse_failed', 'A batch has fewer results than requests. Report this.'))
    }
  }

  /** Resolves when `count` items or a full batch are queued, when no more items arrive, or after `limitMs`. */
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

  /** Resolves when an item has waited long enough, or a full batch is queued. */
  private untilDue(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      this.onArrival = () => {
        clearTimeout(timer)
        if (!this.isDue()) {
          timer = setTimeout(() => this.onArrival?.(), Math.ceil(this.due() - performance.now()))
          return
        }
        this.onArrival = undefined
        resolve()
      }
      this.onArrival()
    })
  }

  private isDue(): boolean {
    return this.closed || this.isFull() || this.due() <= performance.now()
  }

  private due(): number {
    return this.waiting.reduce((earliest, { due }) => Math.min(earliest, due), Number.POSITIVE_INFINITY)
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
