/** How much the latest batch counts beside all before it. */
const WEIGHT = 0.3
/** The share of a full batch from which its time is that of its items, below which it is that of any batch. */
const LARGE = 0.25

/**
 * Tells how long what waits will take, from how long batches took: any takes some time, however small it is, and a
 * large one as long as its items. A load is a share of a full batch.
 */
export class Forecast {
  private anyMs: number | undefined
  private fullMs: number | undefined

  /** A batch of this load took so long. */
  took(load: number, ms: number): void {
    if (load < LARGE) this.anyMs = mixed(this.anyMs, ms)
    else this.fullMs = mixed(this.fullMs, ms / load)
  }

  /** How long this load will take, milliseconds; nothing is held against a store of which nothing is known. */
  of(load: number): number {
    return Math.max(this.anyMs ?? 0, (this.fullMs ?? 0) * load)
  }

  /** How long a batch that has run for some time will still take: one that is late as long again as it is late. */
  rest(load: number, elapsedMs: number): number {
    return Math.abs(this.of(load) - elapsedMs)
  }
}

const mixed = (before: number | undefined, now: number): number =>
  before === undefined ? now : before + WEIGHT * (now - before)
