import { PlanspanError } from '../../error.js'
import { Forecast } from './forecast.js'

export interface GroupCommitOptions<Item, Result> {
  /** Stores a batch; returns one result per item, in the order of the items. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly size: (item: Item) => Size
  /** The maximum size of a batch; a larger item is committed alone. */
  readonly maxBatchSpans: number
  readonly maxBatchBytes: number
  readonly maxQueuedSpans: number
  readonly maxQueuedBytes: number
  /** The longest expected wait of an item; an item that would wait longer is rejected, milliseconds. */
  readonly maxWaitMs: number
  /** The minimum time without a new item after which a batch is complete, milliseconds. */
  readonly quietMs: number
}

export interface Size {
  readonly spans: number
  readonly bytes: number
}

export interface AddOptions {
  /** How long the item may wait for others, milliseconds. @default 0 */
  readonly patienceMs?: number
  /** Aborted when the client disconnects: removes the item from the queue, unless it is being committed. */
  readonly gone?: AbortSignal | undefined
}

interface Waiting<Item, Result> extends Size {
  readonly item: Item
  /** The arrival, as `performance.now()`. */
  readonly since: number
  /** The time until which the item may wait for others, as `performance.now()`. */
  due: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * `quietMs` as a fraction of the last batch's duration: the senders of a large batch need longer for their next items.
 */
const QUIET_SHARE = 0.1

/**
 * Commits one batch at a time; items that arrive meanwhile form the next batch. An item that arrives while nothing is
 * being committed is committed at once, so that a client with one request at a time does not wait for a timer. Items
 * with patience wait until it runs out or an item without patience arrives.
 *
 * After a batch of several items their senders are about to send again, so the next batch waits briefly for them: until
 * as many items are queued, no item has arrived for a while, or the wait has taken as long as the batch did. Without
 * this wait the senders would split into groups that alternate in smaller batches.
 */
export class GroupCommit<Item, Result> {
  private readonly options: GroupCommitOptions<Item, Result>
  private readonly forecast = new Forecast()
  private waiting: Waiting<Item, Result>[] = []
  private queuedSpans = 0
  private queuedBytes = 0
  private running: Promise<void> | undefined
  private current: { readonly size: Size; readonly begun: number; readonly since: number } | undefined
  private closed = false
  private onArrival: (() => void) | undefined

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.options = options
  }

  /** The total size of the items that are queued or being committed. */
  get queued(): Size {
    return { spans: this.queuedSpans, bytes: this.queuedBytes }
  }

  /** The arrival of the oldest of these items, as `performance.now()`; undefined for an empty queue. */
  get since(): number | undefined {
    return this.current?.since ?? this.waiting[0]?.since
  }

  /**
   * Resolves when the item's batch is committed. Throws `store_busy` at once if the item would have to wait too long.
   */
  add(item: Item, { patienceMs = 0, gone }: AddOptions = {}): Promise<Result> {
    const size = this.options.size(item)
    this.check(size)
    if (gone?.aborted) throw disconnected()
    return new Promise((resolve, reject) => {
      const since = performance.now()
      const waiting = { item, ...size, since, due: since + patienceMs, resolve, reject }
      gone?.addEventListener('abort', () => this.remove(waiting), { once: true })
      this.waiting.push(waiting)
      this.count(size, 1)
      this.onArrival?.()
      this.running ??= this.run()
    })
  }

  /** Throws `store_busy` if an item of this size would have to wait too long, or does not fit into the queue. */
  check({ spans, bytes }: Size): void {
    if (this.closed)
      throw new PlanspanError(
        'store_busy',
        'planspan is shutting down and accepts no more spans. Send them again later.',
      )
    // An empty queue accepts an item of any size.
    if (this.queuedSpans === 0) return
    const { maxQueuedSpans, maxQueuedBytes, maxWaitMs } = this.options
    const queued = `${this.queuedSpans} spans (${this.queuedBytes} bytes) are already queued for ClickHouse`
    if (this.queuedSpans + spans > maxQueuedSpans || this.queuedBytes + bytes > maxQueuedBytes)
      throw new PlanspanError('store_busy', `${queued}. Send this request again later.`)
    const waitMs = this.expectedWait({ spans, bytes })
    if (waitMs <= maxWaitMs) return
    const seconds = (waitMs / 1000).toFixed(1)
    throw new PlanspanError(
      'store_busy',
      `${queued}; the expected wait is ${seconds} s. Send this request again later.`,
    )
  }

  /** Commits the queued items as soon as possible, even if they may wait for others. */
  flush(): void {
    for (const waiting of this.waiting) waiting.due = 0
    this.onArrival?.()
  }

  /** Stops accepting items; resolves when all queued items are committed or have failed. */
  async close(): Promise<void> {
    this.closed = true
    this.onArrival?.()
    await this.running
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      if (!this.isDue()) await this.untilDue()
      const batch = this.takeBatch()
      const [first] = batch
      // All items may have been removed meanwhile.
      if (!first) continue
      const size = sum(batch)
      const begun = performance.now()
      this.current = { size, begun, since: first.since }
      const [outcome] = await Promise.allSettled([this.options.commit(batch.map(({ item }) => item))])
      const durationMs = performance.now() - begun
      this.current = undefined
      if (outcome.status === 'fulfilled') this.forecast.record(this.load(size), durationMs)
      const count = batch.length + this.waiting.length
      this.settle(batch, outcome)
      if (count > 1) await this.gather(count, durationMs)
    }
    this.running = undefined
  }

  /** Estimates how long a new item of this size would wait until it is committed, milliseconds. */
  private expectedWait({ spans, bytes }: Size): number {
    const { current } = this
    const before = current?.size ?? { spans: 0, bytes: 0 }
    const remaining = current ? this.forecast.remaining(this.load(before), performance.now() - current.begun) : 0
    const next = {
      spans: this.queuedSpans - before.spans + spans,
      bytes: this.queuedBytes - before.bytes + bytes,
    }
    return remaining + this.forecast.estimate(this.load(next))
  }

  /** Returns a size as a fraction of a full batch. */
  private load({ spans, bytes }: Size): number {
    return Math.max(spans / this.options.maxBatchSpans, bytes / this.options.maxBatchBytes)
  }

  private remove(waiting: Waiting<Item, Result>): void {
    const at = this.waiting.indexOf(waiting)
    if (at < 0) return
    this.waiting.splice(at, 1)
    this.count(waiting, -1)
    this.onArrival?.()
    waiting.reject(disconnected())
  }

  private count({ spans, bytes }: Size, times: 1 | -1): void {
    this.queuedSpans += times * spans
    this.queuedBytes += times * bytes
  }

  private settle(batch: readonly Waiting<Item, Result>[], outcome: PromiseSettledResult<readonly Result[]>): void {
    for (const [index, waiting] of batch.entries()) {
      // An item counts until its batch ends, because the limit is on memory.
      this.count(waiting, -1)
      const result = outcome.status === 'fulfilled' ? outcome.value[index] : undefined
      if (result !== undefined) waiting.resolve(result)
      else if (outcome.status === 'rejected') waiting.reject(outcome.reason)
      else
        waiting.reject(new PlanspanError('clickhouse_failed', 'A batch has fewer results than requests. Report this.'))
    }
  }

  /**
   * Resolves when `count` items or a full batch are queued, when no item has arrived for a while, or after `limitMs`.
   */
  private gather(count: number, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(quiet)
        clearTimeout(limit)
        this.onArrival = undefined
        resolve()
      }
      const quiet = setTimeout(end, Math.max(this.options.quietMs, limitMs * QUIET_SHARE))
      const limit = setTimeout(end, limitMs)
      this.onArrival = () => {
        if (this.closed || this.isFull() || this.waiting.length >= count) end()
        else quiet.refresh()
      }
      this.onArrival()
    })
  }

  /** Resolves when an item has waited long enough, a full batch is queued, or the queue is empty. */
  private untilDue(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      this.onArrival = () => {
        clearTimeout(timer)
        if (this.waiting.length > 0 && !this.isDue()) {
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

const disconnected = (): PlanspanError =>
  new PlanspanError('store_busy', 'The client disconnected before its spans were stored.')

const sum = (sizes: readonly Size[]): Size => ({
  spans: sizes.reduce((all, { spans }) => all + spans, 0),
  bytes: sizes.reduce((all, { bytes }) => all + bytes, 0),
})
