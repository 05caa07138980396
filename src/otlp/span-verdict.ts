import { dayOf, isSpanTime } from '../semconv/index.js'
import type { CheckOptions } from './request.js'

/** 2^63 ns: DateTime64(9) ends here, on 2262-04-11. */
export const TIME_LIMIT = 2n ** 63n

/** What spans are refused for: their ids, a time, or that they are of times that are not kept. */
export const REFUSED_FOR = ['id', 'time', 'retention', 'time_window', 'days'] as const
export type RefusedFor = (typeof REFUSED_FOR)[number]

interface Problem {
  readonly why: RefusedFor
  readonly text: string
}

/** Collects the findings of a check about one span, and gives the reason if it is refused. */
export class SpanVerdict {
  /** How many spans were refused for what. */
  readonly refusedFor = new Map<RefusedFor, number>()
  /** When the others ended that tell it, Unix milliseconds. */
  readonly ends: number[] = []
  /** Whether it matters when spans start. */
  readonly asksStart: boolean
  private readonly options: CheckOptions
  private readonly days = new Set<number>()
  private traceId = false
  private spanId = false
  private start = 0n
  private end = 0
  private problem: Problem | undefined

  constructor(options: CheckOptions) {
    const { refuseBefore, times, maxDays } = options
    this.options = options
    this.asksStart = refuseBefore !== undefined || times !== undefined || maxDays !== undefined
  }

  begin(): void {
    this.traceId = false
    this.spanId = false
    this.start = 0n
    this.end = 0
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

  setEnd(milliseconds: number): void {
    this.end = milliseconds
  }

  /** Records a start, an end or an event's time that the store can't hold. */
  blameTime(field: string, limit = 'beyond the year 2262'): void {
    this.problem ??= { why: 'time', text: `its ${field}, or an event's, is ${limit}` }
  }

  /** Records an id that no later field can mend. The first fault is reported. */
  blameId(text: string): void {
    this.problem ??= { why: 'id', text }
  }

  /** To be asked once at the end of each span. */
  reason(): string | undefined {
    const problem = this.idProblem() ?? this.problem ?? this.startProblem()
    if (problem) this.refusedFor.set(problem.why, (this.refusedFor.get(problem.why) ?? 0) + 1)
    else if (this.end > 0) this.ends.push(this.end)
    return problem?.text
  }

  private idProblem(): Problem | undefined {
    if (!this.traceId) return { why: 'id', text: 'its trace id is not 16 bytes, or all zero' }
    if (!this.spanId) return { why: 'id', text: 'its span id is not 8 bytes, or all zero' }
    return undefined
  }

  private startProblem(): Problem | undefined {
    const { refuseBefore, times, maxDays } = this.options
    if (refuseBefore !== undefined && this.start < refuseBefore) {
      return { why: 'retention', text: 'it started before the oldest time that the retention keeps' }
    }
    if (times !== undefined && !isSpanTime(this.start, times)) {
      const text = `it starts before ${dateOf(times.from)} or after ${dateOf(times.until)}, and none are kept of such times (\`planspan serve --time-window\`)`
      return { why: 'time_window', text }
    }
    if (maxDays === undefined) return undefined
    const day = dayOf(this.start)
    if (this.days.size >= maxDays && !this.days.has(day)) {
      const text = `it starts on another day than the ${maxDays} days of spans before it, and a request holds no more`
      return { why: 'days', text }
    }
    this.days.add(day)
    return undefined
  }
}

const dateOf = (time: bigint): string => new Date(Number(time / 1_000_000n)).toISOString().slice(0, 10)
