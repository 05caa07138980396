import { setTimeout as delay } from 'node:timers/promises'

/** Returns the result of a promise, or of `onTimeout` if the promise takes longer than the milliseconds. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
  const timeout = new AbortController()
  try {
    return await Promise.race([work, delay(milliseconds, undefined, { signal: timeout.signal }).then(onTimeout)])
  } finally {
    timeout.abort()
  }
}

const TIMEOUT_MS = 10_000

/** Disposes of resources in the reverse order of their acquisition. */
export class Disposer {
  readonly #disposals: (() => Promise<void>)[] = []
  #disposed: Promise<void> | undefined

  defer(disposal: () => Promise<void>): void {
    this.#disposals.push(disposal)
  }

  /** Runs all disposals, each for ten seconds at most. Idempotent; never rejects. */
  dispose(): Promise<void> {
    return (this.#disposed ??= this.#dispose())
  }

  async #dispose(): Promise<void> {
    for (const disposal of this.#disposals.toReversed()) {
      // A part that hangs must not keep the others, ClickHouse above all, from stopping.
      await withTimeout(TIMEOUT_MS, disposal(), () => {}).catch((error: Error) => process.emitWarning(error))
    }
  }
}

/** A delay that can be cut short. It does not keep the process alive. */
export class InterruptibleDelay {
  #finish: (() => void) | undefined

  /** Resolves after a number of milliseconds, or when it is interrupted. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#finish?.(), milliseconds)
      timer.unref()
      this.#finish = () => {
        clearTimeout(timer)
        this.#finish = undefined
        resolve()
      }
    })
  }

  /** Ends the current delay, if any. */
  interrupt(): void {
    this.#finish?.()
  }
}

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
