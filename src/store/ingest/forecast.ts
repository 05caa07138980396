/** The weight of the latest batch in the moving average. */
const WEIGHT = 0.3
/** The load from which the duration of a batch is proportional to its load. */
const LARGE = 0.25

/**
 * Estimates how long batches will take from the durations of earlier ones: a small batch takes a fixed time, a large
 * one takes time in proportion to its load. A load is a fraction of a full batch.
 */
export class Forecast {
  private anyMs: number | undefined
  private fullMs: number | undefined

  /** Records the duration of a batch. */
  record(load: number, ms: number): void {
    if (load < LARGE) this.anyMs = mixed(this.anyMs, ms)
    else this.fullMs = mixed(this.fullMs, ms / load)
  }

  /** Estimates the duration of a load, milliseconds; 0 before the first batch. */
  estimate(load: number): number {
    return Math.max(this.anyMs ?? 0, (this.fullMs ?? 0) * load)
  }

  /**
   * Estimates the remaining time of a running batch, milliseconds. An overdue batch is expected to take as long again
   * as it is overdue.
   */
  remaining(load: number, elapsedMs: number): number {
    return Math.abs(this.estimate(load) - elapsedMs)
  }
}

const mixed = (before: number | undefined, now: number): number =>
  before === undefined ? now : before + WEIGHT * (now - before)
