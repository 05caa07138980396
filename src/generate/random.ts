/** Seeded random choices: the same seed gives the same choices on every machine. */
export class Random {
  #state: [number, number, number, number]

  constructor(seed: string) {
    const hash = hasher(seed)
    this.#state = [hash(), hash(), hash(), hash()]
    for (let i = 0; i < 12; i++) this.next()
  }

  /** Returns a number from 0 to below 1 (sfc32). */
  next(): number {
    const [a, b, c, d] = this.#state
    const sum = (((a + b) | 0) + d) | 0
    this.#state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + sum) | 0, (d + 1) | 0]
    return (sum >>> 0) / 4_294_967_296
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Returns a whole number between both bounds, inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    const item = list[Math.floor(this.next() * list.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from.')
    return item
  }

  /** Returns a number distributed like real durations and sizes: most near the median, few far above it. */
  skewed(median: number, spread = 0.5): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return median * Math.exp(spread * normal)
  }

  /** Returns hex digits. */
  hex(digits: number): string {
    let text = ''
    while (text.length < digits)
      text += Math.floor(this.next() * 65_536)
        .toString(16)
        .padStart(4, '0')
    return text.slice(0, digits)
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`
  }
}

/** Hashes a text to 32-bit numbers (xmur3). */
function hasher(text: string): () => number {
  let state = 1_779_033_703 ^ text.length
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 3_432_918_353)
    state = (state << 13) | (state >>> 19)
  }
  return () => {
    state = Math.imul(state ^ (state >>> 16), 2_246_822_507)
    state = Math.imul(state ^ (state >>> 13), 3_266_489_909)
    return (state ^= state >>> 16) >>> 0
  }
}

/** The current time of a plan that is being generated, Unix milliseconds with microsecond precision. */
export class Clock {
  #now: number
  readonly #until: number

  constructor(start: number, until: number) {
    this.#now = start
    this.#until = until
  }

  /** Advances the time, at most to the end of the generated period. */
  pass(milliseconds: number): void {
    this.#now = Math.min(this.#until, this.#now + milliseconds)
  }

  get now(): number {
    return this.#now
  }

  /** Whether the end of the generated period is reached. */
  get isOver(): boolean {
    return this.#now >= this.#until
  }

  /** The time in Unix nanoseconds. */
  get nanos(): bigint {
    return nanosOf(this.#now)
  }
}

export const nanosOf = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000)) * 1000n
