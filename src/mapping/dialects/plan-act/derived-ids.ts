import { createHash } from 'node:crypto'
import type { Moment } from './moment.js'

const NANOS_PER_MS = 1_000_000n
const NUMBER_BYTES = 6

/**
 * Ids of derived events, `<ms>-<n>` as a Redis stream gives them. The number stands for what the event tells of, not for
 * its place, and differs between all events of a plan: whatever else is known by then, an event keeps it. The time may yet
 * turn out to be an earlier one.
 */
export class DerivedIds {
  readonly #used = new Set<number>()

  idOf({ time, subject }: Pick<Moment, 'time' | 'subject'>): string {
    let number = createHash('sha256').update(subject).digest().readUIntBE(0, NUMBER_BYTES)
    while (this.#used.has(number)) number++
    this.#used.add(number)
    return `${time / NANOS_PER_MS}-${number}`
  }
}
