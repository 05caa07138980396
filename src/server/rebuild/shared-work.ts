import { clientGone } from './converse.js'

/** Work under way, and the number of those who wait for it. */
interface Flight {
  readonly result: Promise<unknown>
  readonly ending: AbortController
  waiting: number
}

/** Shares work between all who ask for the same while it is under way. */
export class SharedWork {
  readonly #flights = new Map<string, Flight>()

  /** Starts work, or joins it. It is aborted when all who wait for it have gone. Throws its errors, `usage` if gone. */
  async run<Result>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw clientGone()
    const flight = this.#flights.get(key) ?? this.#start(key, work)
    flight.waiting++
    let leave = (): void => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        reject(clientGone())
        if (--flight.waiting > 0) return
        this.#forget(key, flight)
        flight.ending.abort()
      }
    })
    signal.addEventListener('abort', leave, { once: true })
    try {
      return (await Promise.race([flight.result, left])) as Result
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const ending = new AbortController()
    const flight: Flight = { result: work(ending.signal), ending, waiting: 0 }
    this.#flights.set(key, flight)
    const forget = (): void => this.#forget(key, flight)
    flight.result.then(forget, forget)
    return flight
  }

  #forget(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }
}
