import { PlanspanError } from '../../error.js'
import { Forecast } from './forecast.js'

export interface GroupCommitOptions<Item, Result> {
  /** Stores a batch; returns one result per item, in order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly size: (item: Item) => Size
  /** The largest batch; a larger item makes a batch of its own. */
  readonly maxBatchSpans: number
  readonly maxBatchBytes: number
  readonly maxQueuedSpans: number
  readonly maxQueuedBytes: number
  /** An item that could only be committed later than this is refused, milliseconds. */
  readonly maxWaitMs: number
  /** The shortest time without a new item after which a batch is complete, milliseconds. */
  readonly quietMs: number
}

export interface Size {
  readonly spans: number
  readonly bytes: number
}

export interface AddOptions {
  /** How long the item may wait for others, milliseconds. @default 0 */
  readonly patienceMs?: number
  /** Whoever waits for the item has gone: unless it is being committed, it leaves the queue. */
  readonly gone?: AbortSignal | undefined
}

interface Waiting<Item, Result> extends Size {
  readonly item: Item
  /** When it came, as `performance.now()` tells time. */
  readonly since: number
  /** When it has waited for others long enough, as `performance.now()` tells time. */
  due: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/** The same as a share of the time of the last batch: the senders of a large batch need longer for their next items. */
const QUIET_SHARE = 0.1

/**
 * Commits one batch at a time; items that arrive meanwhile form the next batch. An item that arrives while nothing is
 * being committed is committed at once, so that a client with one request at a time never waits for a timer. Only items
 * that may wait do so, until one that may not is there. After a batch of several items their senders are about to send
 * again, so the next batch waits briefly for them: until as many items are queued, none has arrived for a while, or the
 * wait has taken as long as the batch did. Without this wait the senders would alternate in batches of part the size.
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

  /** The size of what is queued or being committed. */
  get queued(): Size {
    return { spans: this.queuedSpans, bytes: this.queuedBytes }
  }

  /** When the first of these came, as `performance.now()` tells time; undefined where there is none. */
  get since(): number | undefined {
    return this.current?.since ?? this.waiting[0]?.since
  }

  /** Resolves when the item's batch is committed. Throws `store_busy` at once when it would have to wait too long. */
  add(item: Item, { patienceMs = 0, gone }: AddOptions = {}): Promise<Result> {
    const size = this.options.size(item)
    this.check(size)
    if (gone?.aborted) throw hasGone()
    return new Promise((resolve, reject) => {
      const since = performance.now()
      const waiting = { item, ...size, since, due: since + patienceMs, resolve, reject }
      gone?.addEventListener('abort', () => this.leave(waiting), { once: true })
      this.waiting.push(waiting)
      this.count(size, 1)
      this.onArrival?.()
      this.running ??= this.run()
    })
  }

  /** Throws `store_busy` if what has this size would have to wait too long, or there is no room for it. */
  check({ spans, bytes }: Size): void {
    if (this.closed)
      throw new PlanspanError('store_busy', 'planspan is stopping and takes no more spans. Send them again.')
    // A request larger than the whole queue is still accepted when nothing else is queued.
    if (this.queuedSpans === 0) return
    const { maxQueuedSpans, maxQueuedBytes, maxWaitMs } = this.options
    const queued = `${this.queuedSpans} spans (${this.queuedBytes} bytes) wait for ClickHouse already`
    if (this.queuedSpans + spans > maxQueuedSpans || this.queuedBytes + bytes > maxQueuedBytes)
      throw new PlanspanError('store_busy', `${queued}. Send these again later.`)
    const waitMs = this.expectedWait({ spans, bytes })
    if (waitMs <= maxWaitMs) return
    const seconds = (waitMs / 1000).toFixed(1)
    throw new PlanspanError('store_busy', `${queued}, and take about ${seconds} s. Send these again later.`)
  }

  /** Commits what waits for others without waiting for more. */
  hurry(): void {
    for (const waiting of this.waiting) waiting.due = 0
    this.onArrival?.()
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
      const [first] = batch
      // All of them may have left meanwhile.
      if (!first) continue
      const size = sum(batch)
      const begun = performance.now()
      this.current = { size, begun, since: first.since }
      const [outcome] = await Promise.allSettled([this.options.commit(batch.map(({ item }) => item))])
      const took = performance.now() - begun
      this.current = undefined
      if (outcome.status === 'fulfilled') this.forecast.took(this.load(size), took)
      const underWay = batch.length + this.waiting.length
      this.answer(batch, outcome)
      if (underWay > 1) await this.gather(underWay, took)
    }
    this.running = undefined
  }

  /** How long an item of this size that came now would wait until it is committed, milliseconds. */
  private expectedWait({ spans, bytes }: Size): number {
    const { current } = this
    const before = current?.size ?? { spans: 0, bytes: 0 }
    const rest = current ? this.forecast.rest(this.load(before), performance.now() - current.begun) : 0
    const next = {
      spans: this.queuedSpans - before.spans + spans,
      bytes: this.queuedBytes - before.bytes + bytes,
    }
    return rest + this.forecast.of(this.load(next))
  }

  /** What share of a full batch a size is. */
  private load({ spans, bytes }: Size): number {
    return Math.max(spans / this.options.maxBatchSpans, bytes / this.options.maxBatchBytes)
  }

  private leave(gone: Waiting<Item, Result>): void {
    const at = this.waiting.indexOf(gone)
    if (at < 0) return
    this.waiting.splice(at, 1)
    this.count(gone, -1)
    this.onArrival?.()
    gone.reject(hasGone())
  }

  private count({ spans, bytes }: Size, times: 1 | -1): void {
    this.queuedSpans += times * spans
    this.queuedBytes += times * bytes
  }

  private answer(batch: readonly Waiting<Item, Result>[], outcome: PromiseSettledResult<readonly Result[]>): void {
    for (const [index, waiting] of batch.entries()) {
      // An item counts until it is stored, since the limit is on memory.
      this.count(waiting, -1)
      const result = outcome.status === 'fulfilled' ? outcome.value[index] : undefined
      if (result !== undefined) waiting.resolve(result)
      else if (outcome.status === 'rejected') waiting.reject(outcome.reason)
      else
        waiting.reject(new PlanspanError('clickhouse_failed', 'A batch has fewer results than requests. Report this.'))
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
      const quiet = setTimeout(end, Math.max(this.options.quietMs, limitMs * QUIET_SHARE))
      const limit = setTimeout(end, limitMs)
      this.onArrival = () => {
        if (this.closed || this.isFull() || this.waiting.length >= count) end()
        else quiet.refresh()
      }
      this.onArrival()
    })
  }

  /** Resolves when an item has waited long enough, a full batch is queued, or none is any more. */
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

const hasGone = (): PlanspanError =>
  new PlanspanError('store_busy', 'The client has gone before its spans were stored.')

const sum = (sizes: readonly Size[]): Size => ({
  spans: sizes.reduce((all, { spans }) => all + spans, 0),
  bytes: sizes.reduce((all, { bytes }) => all + bytes, 0),
})
