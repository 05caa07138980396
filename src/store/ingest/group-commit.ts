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
  /** Milliseconds without a new item that end the gathering of a batch, and how long it lasts at most. */
  readonly gather: { readonly quietMs: number; readonly limitMs: number }
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly spans: number
  readonly bytes: number
  /** When it has waited long enough, as `performance.now()` tells time. */
  readonly due: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * One batch is being committed at a time; what arrives meanwhile waits and becomes the next. Clients that were answered
 * together send their next items together, so behind a batch of several items a moment is waited for those too: else two
 * halves of the clients would take turns in batches of half the size. Items that may wait do so until one is there that
 * may not, or until a batch is full.
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
   * Resolves when the item's batch is committed; it may wait `patienceMs` for others to share its batch. Throws `store_busy`
   * at once when the queue is full.
   */
  add(item: Item, patienceMs = 0): Promise<Result> {
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
      this.waiting.push({ item, spans, bytes, due: performance.now() + patienceMs, resolve, reject })
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
      if (!this.isDue()) await this.untilDue()
      const batch = this.takeBatch()
      try {
        const results = await this.options.commit(batch.map(({ item }) => item))
        for (const [index, { resolve, reject }] of batch.entries()) {
          const result = results[index]
          if (result === undefined)
            reject(new PlanspanError('clickhouse_failed', 'A batch has fewer results than requests. Report this.'))
          else resolve(result)
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      // Counted until they are stored: the bound is on the memory they take.
      for (const { spans, bytes } of batch) {
        this.queuedSpans -= spans
        this.queuedBytes -= bytes
      }
      if (batch.length > 1) await this.gather()
    }
    this.running = undefined
  }

  private isDue(): boolean {
    const now = performance.now()
    return this.closed || this.isFull() || this.waiting.some(({ due }) => due <= now)
  }

  private isFull(): boolean {
    return this.queuedSpans >= this.options.maxBatchSpans || this.queuedBytes >= this.options.maxBatchBytes
  }

  /** Resolves when an item has waited long enough, or a full batch is there. */
  private untilDue(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      this.onArrival = () => {
        clearTimeout(timer)
        if (this.isDue()) {
          this.onArrival = undefined
          resolve()
          return
        }
        const due = Math.min(...this.waiting.map((each) => each.due))
        timer = setTimeout(() => this.onArrival?.(), Math.max(1, due - performance.now()))
      }
      this.onArrival()
    })
  }

  /** Resolves when a full batch waits, or when nothing more seems to come. */
  private gather(): Promise<void> {
    const { gather } = this.options
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(quiet)
        clearTimeout(limit)
        this.onArrival = undefined
        resolve()
      }
      const quiet = setTimeout(end, gather.quietMs)
      const limit = setTimeout(end, gather.limitMs)
      this.onArrival = () => {
        if (this.closed || this.isFull()) end()
        else quiet.refresh()
      }
      this.onArrival()
    })
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
