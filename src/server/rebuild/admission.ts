import { PlanspanError } from '../../error.js'

export interface AdmissionOptions {
  /** The maximum number of tasks at once. */
  readonly size: number
  /** The memory that they may take together, bytes. A task that needs more runs alone. */
  readonly budget: number
  /** The maximum number of waiting tasks, and the time that each may wait, milliseconds. */
  readonly maxWaiting: number
  readonly patienceMs: number
}

interface Waiting {
  readonly bytes: number
  readonly start: () => void
}

/** Admits tasks in order, as long as their number and their estimated memory permit. */
export class Admission {
  readonly #options: AdmissionOptions
  readonly #queue: Waiting[] = []
  #running = 0
  #bytes = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /** The number of running and waiting tasks. */
  get underWay(): number {
    return this.#running + this.#queue.length
  }

  /** Runs a task. Throws `store_busy` if too many tasks wait, or if its turn does not come in time. */
  async run<T>(bytes: number, task: () => Promise<T>): Promise<T> {
    if (this.#queue.length > 0 || !this.#fits(bytes)) await this.#wait(bytes)
    else this.#enter(bytes)
    try {
      return await task()
    } finally {
      this.#running--
      this.#bytes -= bytes
      this.#admit()
    }
  }

  #fits(bytes: number): boolean {
    const { size, budget } = this.#options
    return this.#running === 0 || (this.#running < size && this.#bytes + bytes <= budget)
  }

  #enter(bytes: number): void {
    this.#running++
    this.#bytes += bytes
  }

  #admit(): void {
    for (let next = this.#queue[0]; next && this.#fits(next.bytes); next = this.#queue[0]) {
      this.#queue.shift()
      this.#enter(next.bytes)
      next.start()
    }
  }

  #wait(bytes: number): Promise<void> {
    const { maxWaiting, patienceMs } = this.#options
    if (this.#queue.length >= maxWaiting) throw tooMany()
    return new Promise((resolve, reject) => {
      const timer = Number.isFinite(patienceMs) ? setTimeout(() => giveUp(), patienceMs) : undefined
      const waiting: Waiting = {
        bytes,
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        reject(tooMany())
        this.#admit()
      }
      this.#queue.push(waiting)
    })
  }
}

const tooMany = (): PlanspanError =>
  new PlanspanError('store_busy', 'Too many large records are asked for at once. Ask again later.')
