import { createHash } from 'node:crypto'
import type { Moment } from './moment.js'

const NANOS_PER_MS = 1_000_000n
const NUMBER_BYTES = 6

/**
 * Ids of derived events, `<ms>-<n>` as a Redis stream gives them. The number stands for what the event tells of, not for
 * its place, so that an event has the same id whatever else is known by then, and from whichever row of its span it comes.
 */
export class DerivedIds {
  readonly #used = new Set<string>()

  idOf({ time, subject }: Pick<Moment, 'time' | 'subject'>): string {
    const milliseconds = time / NANOS_PER_MS
    let number = createHash('sha256').update(subject).digest().readUIntBE(0, NUMBER_BYTES)
    let id = `${milliseconds}-${number}`
    while (this.#used.has(id)) id = `${milliseconds}-${++number}`
    this.#used.add(id)
    return id
  }
}
