import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import { PlanspanError } from '../../error.js'
import { Limiter } from '../async.js'
import { clientGone, converse, type Errand } from './converse.js'

export interface WorkerPoolOptions {
  /** The maximum number of workers. @default two, or up to four with more cores */
  readonly size?: number
  /** The maximum number of queued tasks. @default 64 */
  readonly maxWaiting?: number
  /** The maximum heap of a worker, MB. @default 4_096 */
  readonly maxHeapMb?: number
  /** The time after which an idle worker ends, milliseconds. @default 30_000 */
  readonly idleMs?: number
}

/**
 * Worker threads for tasks that would delay all other requests. They start on demand and end after some idle time,
 * which releases their memory. They do not keep the process alive.
 */
export class WorkerPool {
  readonly #limiter: Limiter
  readonly #size: number
  readonly #limit: number
  readonly #maxHeapMb: number
  readonly #idleMs: number
  /** Idle workers, and the timers that end them. The most recently used worker is last. */
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []
  #underWay = 0
  #isClosed = false

  constructor({ size = defaultSize(), maxWaiting = 64, maxHeapMb = 4_096, idleMs = 30_000 }: WorkerPoolOptions = {}) {
    this.#limiter = new Limiter(size)
    this.#size = size
    this.#limit = size + maxWaiting
    this.#maxHeapMb = maxHeapMb
    this.#idleMs = idleMs
  }

  /** The number of running and queued tasks. */
  get underWay(): number {
    return this.#underWay
  }

  /**
   * Runs a task in a worker. Tasks are queued in order. Throws `store_busy` if too many tasks are queued,
   * `record_too_large` if the worker runs out of memory, the task's own errors, and `usage` if its client has
   * disconnected.
   */
  async run<Result>(errand: Errand): Promise<Result> {
    if (this.#underWay >= this.#limit) {
      throw new PlanspanError('store_busy', 'Too many large records are asked for at once. Ask again later.')
    }
    this.#underWay++
    try {
      return (await this.#limiter.run(() => this.#work(errand))) as Result
    } finally {
      this.#underWay--
    }
  }

  /** Starts a worker ahead of expected work unless a worker is idle, because loading its code takes time. */
  warm(): void {
    if (!this.#isClosed && this.#idle.length === 0 && this.#underWay < this.#size) this.#keep(this.#start())
  }

  /** Ends idle workers now, and busy ones when they are done. */
  close(): void {
    this.#isClosed = true
    for (const { worker, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      void worker.terminate()
    }
  }

  async #work(errand: Errand): Promise<unknown> {
    if (errand.signal.aborted) throw clientGone()
    const worker = this.#take()
    const { result, isReusable } = await converse(worker, errand)
    if (isReusable) this.#keep(worker)
    else void worker.terminate()
    return result()
  }

  #take(): Worker {
    const idle = this.#idle.pop()
    if (!idle) return this.#start()
    clearTimeout(idle.timer)
    idle.worker.ref()
    return idle.worker
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb },
    })
    // Errors of idle and ending workers are irrelevant.
    return worker.on('error', () => {}).once('exit', () => this.#forget(worker))
  }

  #keep(worker: Worker): void {
    if (this.#isClosed) return void worker.terminate()
    worker.unref()
    const timer = setTimeout(() => {
      // A worker that is ending must not get another task.
      this.#forget(worker)
      void worker.terminate()
    }, this.#idleMs)
    timer.unref()
    this.#idle.push({ worker, timer })
  }

  #forget(worker: Worker): void {
    const at = this.#idle.findIndex((idle) => idle.worker === worker)
    if (at >= 0) this.#idle.splice(at, 1)
  }
}

const defaultSize = (): number => Math.min(4, Math.max(2, availableParallelism() - 1))
