import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import { Admission } from './admission.js'
import { clientGone, converse, type Errand } from './converse.js'
import { memoryShare } from './memory-share.js'

export interface WorkerPoolOptions {
  /** The maximum number of workers. @default two, or up to four with more cores */
  readonly size?: number
  /** The maximum number of queued tasks. @default 64 */
  readonly maxWaiting?: number
  /** The time that a task may wait for its turn, milliseconds. @default 10_000 */
  readonly patienceMs?: number
  /** The memory that all tasks may take together, bytes. @default a share of the memory that the process may use */
  readonly budget?: number
  /** The maximum heap of a worker, MB. @default that share, at most 4_096 */
  readonly maxHeapMb?: number
  /** The time after which an idle worker ends, milliseconds. @default 30_000 */
  readonly idleMs?: number
}

/**
 * Worker threads for tasks that would delay all other requests. They start on demand and end after some idle time,
 * which releases their memory. They do not keep the process alive.
 */
export class WorkerPool {
  readonly #admission: Admission
  readonly #size: number
  readonly #maxHeapMb: number
  readonly #idleMs: number
  /** Idle workers, and the timers that end them. The most recently used worker is last. */
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []
  #isClosed = false

  constructor({
    size = defaultSize(),
    maxWaiting = 64,
    patienceMs = 10_000,
    budget = memoryShare().budget,
    maxHeapMb = Math.min(4_096, memoryShare().heapMb),
    idleMs = 30_000,
  }: WorkerPoolOptions = {}) {
    this.#admission = new Admission({ size, budget, maxWaiting, patienceMs })
    this.#size = size
    this.#maxHeapMb = maxHeapMb
    this.#idleMs = idleMs
  }

  /** The number of running and queued tasks. */
  get underWay(): number {
    return this.#admission.underWay
  }

  /**
   * Runs a task in a worker, when the memory permits. Tasks are queued in order. Throws `store_busy` if too many tasks
   * are queued or its turn does not come in time, `record_too_large` if the worker runs out of memory, the task's own
   * errors, and `usage` if its client has disconnected.
   */
  async run<Result>(errand: Errand): Promise<Result> {
    return (await this.#admission.run(errand.bytes ?? 0, () => this.#work(errand))) as Result
  }

  /** Starts a worker ahead of expected work unless a worker is idle, because loading its code takes time. */
  warm(): void {
    if (!this.#isClosed && this.#idle.length === 0 && this.underWay < this.#size) this.#keep(this.#start())
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
