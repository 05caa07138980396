import { dayOf, isSpanTime, type Span } from '../semconv/index.js'
import type { CheckOptions } from './request.js'
import type { PartialSuccess } from './response.js'
import { SIGNAL_RULES, type Signal, type SignalRules } from './signal.js'

/** 2^63 ns: the end of DateTime64(9), on 2262-04-11. */
export const TIME_LIMIT = 2n ** 63n

/** The reasons for which spans are rejected. */
export const REFUSED_FOR = ['id', 'time', 'retention', 'time_window', 'days'] as const
export type RefusedFor = (typeof REFUSED_FOR)[number]

interface Problem {
  readonly why: RefusedFor
  readonly text: string
}

/** Collects the findings of a check about one span or log record, and returns the reason if it is rejected. */
export class ItemVerdict {
  /** The number of rejected spans by reason. */
  readonly refusedFor = new Map<RefusedFor, number>()
  /** When the accepted spans with an end time ended, Unix milliseconds. */
  readonly ends: number[] = []
  /** Whether the options limit the times of items. */
  readonly needsStart: boolean
  private readonly rules: SignalRules
  private readonly options: CheckOptions
  private readonly days = new Set<number>()
  private traceId = false
  private spanId = false
  private start = 0n
  private observed = 0n
  private end = 0
  private problem: Problem | undefined

  constructor(options: CheckOptions) {
    const { refuseBefore, times, maxDays, signal = 'traces' } = options
    this.options = options
    this.rules = SIGNAL_RULES[signal]
    this.needsStart = refuseBefore !== undefined || times !== undefined || maxDays !== undefined
  }

  begin(): void {
    this.traceId = !this.rules.needsIds
    this.spanId = !this.rules.needsIds
    this.start = 0n
    this.observed = 0n
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

  /** Sets the time that counts if an item has no time of its own. */
  setObserved(nanoseconds: bigint): void {
    this.observed = nanoseconds
  }

  setEnd(milliseconds: number): void {
    this.end = milliseconds
  }

  /** Records a start, an end or an event's time that the store can't hold. */
  blameTime(field: string, limit = 'beyond the year 2262'): void {
    this.problem ??= { why: 'time', text: `its ${field}, or an event's, is ${limit}` }
  }

  /** Records an invalid id that no later field can correct. The first problem is reported. */
  blameId(text: string): void {
    this.problem ??= { why: 'id', text }
  }

  /** Returns why the item is rejected; undefined for an accepted one. Call it once, at the end of each item. */
  reason(): string | undefined {
    if (this.rules.refusal !== undefined) return this.rules.refusal
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
    const { at, items } = this.rules
    const start = this.start || this.observed
    if (refuseBefore !== undefined && start < refuseBefore) {
      return { why: 'retention', text: `${at.past} before the oldest time that the retention keeps` }
    }
    if (times !== undefined && !isSpanTime(start, times)) {
      const text = `${at.present} before ${dateOf(times.from)} or after ${dateOf(times.until)}, outside the time window (\`planspan serve --time-window\`)`
      return { why: 'time_window', text }
    }
    if (maxDays === undefined) return undefined
    const day = dayOf(start)
    if (this.days.size >= maxDays && !this.days.has(day)) {
      const text = `${at.present} on another day than the ${items} before it, and the ${items} of a request may ${at.base} on at most ${maxDays} days`
      return { why: 'days', text }
    }
    this.days.add(day)
    return undefined
  }
}

const dateOf = (time: bigint): string => new Date(Number(time / 1_000_000n)).toISOString().slice(0, 10)

/** Checks planspan's own spans as `receive` checks a client's. Returns undefined if no span is rejected. */
export function refusedSpans(spans: Iterable<Span>, options: CheckOptions): PartialSuccess | undefined {
  const verdict = new ItemVerdict(options)
  const reasons: string[] = []
  for (const { startTimeUnixNano, endTimeUnixNano, events } of spans) {
    verdict.begin()
    verdict.setTraceId(true)
    verdict.setSpanId(true)
    verdict.setStart(startTimeUnixNano)
    checkTime(verdict, 'startTimeUnixNano', startTimeUnixNano)
    checkTime(verdict, 'endTimeUnixNano', endTimeUnixNano)
    for (const { timeUnixNano } of events) checkTime(verdict, 'timeUnixNano', timeUnixNano)
    const reason = verdict.reason()
    if (reason !== undefined) reasons.push(reason)
  }
  return partialSuccess(reasons)
}

function checkTime(verdict: ItemVerdict, field: string, time: bigint): void {
  if (time >= TIME_LIMIT) verdict.blameTime(field)
  if (time < 0n) verdict.blameTime(field, 'before the year 1970')
}

/** Returns the partial success for rejected items, with one reason each; undefined without rejected items. */
export function partialSuccess(reasons: readonly string[], signal: Signal = 'traces'): PartialSuccess | undefined {
  if (reasons.length === 0) return undefined
  const { item, items } = SIGNAL_RULES[signal]
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const errorMessage = [...counts]
    .map(([reason, count]) => `${count} ${count === 1 ? item : items} refused: ${reason}.`)
    .join(' ')
  return { rejectedSpans: reasons.length, errorMessage }
}
