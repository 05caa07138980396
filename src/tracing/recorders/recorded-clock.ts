import type { HrTime } from '@opentelemetry/api'
import { PlanClock, type Clock } from '../plan-clock.js'

/** The clock of a recorder's plan: the current time, or temporarily the time of the event being recorded. */
export class RecordedClock implements Clock {
  readonly #present = new PlanClock()
  #time: HrTime | undefined

  now(): HrTime {
    return this.#time ?? this.#present.now()
  }

  /** Runs a function with the clock set to a time. */
  at<T>(time: HrTime, fn: () => T): T {
    const before = this.#time
    this.#time = time
    try {
      return fn()
    } finally {
      this.#time = before
    }
  }
}

const NANOS = 1_000_000_000n

/** Converts Unix nanoseconds to a time of the OpenTelemetry API. */
export const hrTimeOf = (unixNano: bigint): HrTime => [Number(unixNano / NANOS), Number(unixNano % NANOS)]

/** Converts a time of the OpenTelemetry API to Unix nanoseconds. */
export const unixNanoOf = ([seconds, nanos]: HrTime): bigint => BigInt(seconds) * NANOS + BigInt(nanos)

export const later = (a: HrTime, b: HrTime): HrTime => (a[0] > b[0] || (a[0] === b[0] && a[1] >= b[1]) ? a : b)

export const earlier = (a: HrTime, b: HrTime): HrTime => (later(a, b) === a ? b : a)
