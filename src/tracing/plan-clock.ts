import type { HrTime } from '@opentelemetry/api'

/** The clock for a plan's spans. */
export interface Clock {
  now(): HrTime
}

const MAX_LAG_MILLIS = 1_000

/**
 * One clock for all spans of a plan. The SDK starts each span at a whole millisecond and measures its end from there,
 * so children may outlast their parents and siblings within a millisecond have no order. With this clock, spans nest
 * with microsecond precision.
 */
export class PlanClock implements Clock {
  #epochMillis = Date.now()
  readonly #startedAt = performance.now()

  now(): HrTime {
    const elapsed = performance.now() - this.#startedAt
    const whole = Math.floor(elapsed)
    // The monotonic clock stops while the machine sleeps, so this catches up. It never goes back, so that no child
    // precedes its parent.
    const lag = Date.now() - this.#epochMillis - whole
    if (lag > MAX_LAG_MILLIS) this.#epochMillis += lag
    const millis = this.#epochMillis + whole
    return [Math.floor(millis / 1_000), (millis % 1_000) * 1_000_000 + Math.floor((elapsed - whole) * 1_000_000)]
  }
}
