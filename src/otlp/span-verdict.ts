import { dayOf, isSpanTime } from '../semconv/index.js'
import type { CheckOptions } from './request.js'

/** 2^63 ns: DateTime64(9) ends here, on 2262-04-11. */
export const TIME_LIMIT = 2n ** 63n

/** Collects the findings of a check about one span, and gives the reason if it is refused. */
export class SpanVerdict {
  /** Whether it matters when spans start. */
  readonly asksStart: boolean
  private readonly options: CheckOptions
  private readonly days = new Set<number>()
  private traceId = false
  private spanId = false
  private start = 0n
  private problem: string | undefined

  constructor(options: CheckOptions) {
    const { refuseBefore, times, maxDays } = options
    this.options = options
    this.asksStart = refuseBefore !== undefined || times !== undefined || maxDays !== undefined
  }

  begin(): void {
    this.traceId = false
    this.spanId = false
    this.start = 0n
    this.problem = undefined
  }

  setTraceId(valid: boolean): void {
    this.traceId = valid
  }

  setSpanId(valid: boolean): void {
    this.spanId = valid
  }

  setStart(nanoseconds: bigint): void {
    this.start = nanoseconds
  }

  /** Records a start, an end or an event's time that the store can't hold. */
  blameTime(field: string, limit = 'beyond the year 2262'): void {
    this.blame(`its ${field}, or an event's, is ${limit}`)
  }

  /** Records a fault that no later field can mend. The first one is reported. */
  blame(problem: string): void {
    this.problem ??= problem
  }

  reason(): string | undefined {
    if (!this.traceId) return 'its trace id is not 16 bytes, or all zero'
    if (!this.spanId) return 'its span id is not 8 bytes, or all zero'
    return this.problem ?? this.startProblem()
  }

  private startProblem(): string | undefined {
    const { refuseBefore, times, maxDays } = this.options
    if (refuseBefore !== undefined && this.start < refuseBefore) {
      return 'it started before the oldest time that the retention keeps'
    }
    if (times !== undefined && !isSpanTime(this.start, times)) {
      return `it starts before ${dateOf(times.from)} or after ${dateOf(times.until)}, and none are kept of such times (\`planspan serve --time-window\`)`
    }
    if (maxDays === undefined) return undefined
    const day = dayOf(this.start)
    if (this.days.size >= maxDays && !this.days.has(day)) {
      return `it starts on another day than the ${maxDays} days of spans before it, and a request holds no more`
    }
    this.days.add(day)
    return undefined
  }
}

const dateOf = (time: bigint): string => new Date(Number(time / 1_000_000n)).toISOString().slice(0, 10)
