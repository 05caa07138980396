/** Runs at most `concurrency` tasks at once; other tasks are queued and start in order. */
export class Limiter {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(concurrency: number) {
    this.#free = concurrency
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#queue.shift()
      if (next) next()
      else this.#free++
    }
  }
}
