import type { HrTime } from '@opentelemetry/api'

/** Tells the time of what a plan's spans stand for. */
export interface Clock {
  now(): HrTime
}

const MAX_LAG_MILLIS = 1_000

/**
 * One clock for all spans of a plan. The SDK starts each span at a whole millisecond and times its end from there, so
 * that children outlast their parents and siblings of a millisecond have no order; here they nest, to the microsecond.
 */
export class PlanClock implements Clock {
  #epochMillis = Date.now()
  readonly #startedAt = performance.now()

  now(): HrTime {
    const elapsed = performance.now() - this.#startedAt
    const whole = Math.floor(elapsed)
    // The monotonic clock stands still while a machine sleeps; never goes back, so that no child precedes its parent.
    const lag = Date.now() - this.#epochMillis - whole
    if (lag > MAX_LAG_MILLIS) this.#epochMillis += lag
    const millis = this.#epochMillis + whole
    return [Math.floor(millis / 1_000), (millis % 1_000) * 1_000_000 + Math.floor((elapsed - whole) * 1_000_000)]
  }
}
