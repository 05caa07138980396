import { TraceFlags, type Attributes, type Context } from '@opentelemetry/api'
import { ATTR } from '../../semconv/index.js'
import { countDrop } from '../drops.js'
import { countUnknownOptions } from '../option-names.js'
import { PlanClock } from '../plan-clock.js'
import type { SpanLike, SpanProcessorLike, StartedSpanLike } from '../sdk-types.js'
import { OpenSpan } from './open-span.js'
import { watchSpan } from './span-watch.js'

/** How often open spans are shown, and how many. */
export interface PendingSpanOptions {
  /** The minimum time between two snapshots of one span, milliseconds. @default 500 */
  snapshotIntervalMillis?: number | undefined
  /**
   * The maximum time between two heartbeats of an open plan, milliseconds. Its spans announce three times this value,
   * after which readers consider the plan interrupted. @default 10_000
   */
  heartbeatMillis?: number | undefined
  /** The largest number of open spans to show; further spans appear only after their end. @default 10_000 */
  maxOpenSpans?: number | undefined
  /** Whether to postpone snapshots because the queue is needed for ended spans. @default never */
  isBusy?: (() => boolean) | undefined
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof PendingSpanOptions>([
  'snapshotIntervalMillis',
  'heartbeatMillis',
  'maxOpenSpans',
  'isBusy',
])

// Spans that end sooner than a tick are never shown while they are open, and cost nothing.
const TICK_MILLIS = 100
const ANNOUNCED_HEARTBEATS = 3
const MAX_CHARS_A_MILLI = 64
const MAX_BLOCKING_MILLIS = 5
const EVENT_CHARS = 100

const SHOWN_ROLES: ReadonlySet<unknown> = new Set(['plan', 'planning', 'wait', 'agent', 'think_act', 'tool'])

/**
 * Shows plans while they run: passes snapshots of open spans (plans, planning, waits, agents, think-act cycles, tool
 * calls) to the next processor shortly after their start and when they change, and heartbeats of each open plan. A
 * snapshot is an ordinary ended span below the real one, marked `planspan.span.state=pending`. Construct it with the
 * exporting processor, and add PlanspanProcessor before it.
 *
 * @example
 * const batch = new BatchSpanProcessor({ exporter: wrapExporter(exporter), scheduledDelayMillis: 250 })
 * new TracerProvider({ spanProcessors: [new PlanspanProcessor(), new PendingSpanProcessor(batch)] })
 */
export class PendingSpanProcessor implements SpanProcessorLike {
  readonly #next: SpanProcessorLike
  readonly #intervalMillis: number
  readonly #heartbeatMillis: number
  readonly #maxOpenSpans: number
  readonly #isBusy: () => boolean
  readonly #clock = new PlanClock()
  readonly #open = new Map<string, OpenSpan>()
  readonly #plans = new Set<OpenSpan>()
  readonly #news = new Set<OpenSpan>()
  readonly #onNews = (open: OpenSpan): void => {
    if (this.#stopped) return
    this.#news.add(open)
    this.#awaitTick()
  }
  #tick: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #stopped = false

  constructor(next: SpanProcessorLike, options: PendingSpanOptions = {}) {
    countUnknownOptions('PendingSpanProcessor', options, OPTION_NAMES)
    this.#next = next
    this.#intervalMillis = options.snapshotIntervalMillis ?? 500
    this.#heartbeatMillis = options.heartbeatMillis ?? 10_000
    this.#maxOpenSpans = options.maxOpenSpans ?? 10_000
    this.#isBusy = options.isBusy ?? (() => false)
  }

  /** Whether open spans have changed since their last snapshots. */
  get hasNews(): boolean {
    return this.#news.size > 0
  }

  onStart(span: StartedSpanLike, parentContext: Context): void {
    try {
      this.#started(span)
    } catch {
      countDrop('tracer', 'the snapshots of a span')
    }
    this.#next.onStart(span, parentContext)
  }

  onEnding(span: StartedSpanLike): void {
    this.#next.onEnding?.(span)
  }

  onEnd(span: SpanLike): void {
    const open = this.#open.get(span.spanContext().spanId)
    if (open) this.#ended(open)
    this.#next.onEnd(span)
  }

  /** Takes all outstanding snapshots, then flushes the next processor. */
  forceFlush(): Promise<void> {
    for (const open of this.#news) this.#show(open)
    return this.#next.forceFlush()
  }

  shutdown(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#tick)
    clearInterval(this.#heartbeat)
    for (const set of [this.#open, this.#plans, this.#news]) set.clear()
    return this.#next.shutdown()
  }

  #started(span: StartedSpanLike): void {
    const { spanId, traceId, traceFlags } = span.spanContext()
    if (this.#stopped || (traceFlags & TraceFlags.SAMPLED) === 0 || span.attributes[ATTR.planId] === undefined) return
    if (this.#open.size >= this.#maxOpenSpans) {
      countDrop('snapshot', `the view of ${span.name} while it is open`)
      return
    }
    const role = span.attributes[ATTR.spanKind]
    const above = span.parentSpanContext
    const parent = above?.traceId === traceId ? this.#open.get(above.spanId) : undefined
    const restsUntil = performance.now() + TICK_MILLIS
    const open = new OpenSpan({ span, spanId, parent, restsUntil, onNews: this.#onNews })
    watchSpan(span, open)
    this.#open.set(spanId, open)
    if (role === 'plan') {
      span.setAttributes({ [ATTR.heartbeatIntervalMs]: this.#heartbeatMillis * ANNOUNCED_HEARTBEATS })
      this.#plans.add(open)
      this.#heartbeat ??= setInterval(() => this.#beat(), this.#heartbeatMillis).unref()
    }
    if (SHOWN_ROLES.has(role)) open.show()
  }

  #awaitTick(): void {
    this.#tick ??= setTimeout(() => this.#ticked(), TICK_MILLIS).unref()
  }

  #ticked(): void {
    this.#tick = undefined
    const now = performance.now()
    for (const open of this.#isBusy() ? [] : this.#news) {
      if (open.restsUntil <= now) this.#show(open)
      if (performance.now() - now > MAX_BLOCKING_MILLIS) break
    }
    if (this.#news.size > 0) this.#awaitTick()
  }

  #show(open: OpenSpan): void {
    this.#news.delete(open)
    try {
      const snapshot = open.snapshot(this.#clock.now())
      // A large span is shown less often, but never stops being shown.
      const rest = Math.max(this.#intervalMillis, charsOf(snapshot) / MAX_CHARS_A_MILLI)
      open.restsUntil = performance.now() + Math.min(rest, this.#heartbeatMillis)
      this.#next.onEnd(snapshot)
    } catch {
      countDrop('tracer', 'a snapshot of a span')
    }
  }

  #beat(): void {
    for (const plan of this.#plans) plan.changed()
  }

  #ended(open: OpenSpan): void {
    this.#forget(open)
    for (const left of open.end()) this.#forget(left)
    if (this.#plans.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }

  #forget(open: OpenSpan): void {
    this.#open.delete(open.spanId)
    this.#plans.delete(open)
    this.#news.delete(open)
  }
}

/** The approximate number of characters in a span. */
function charsOf({ attributes, events }: SpanLike): number {
  let chars = attributeChars(attributes)
  for (const event of events) chars += EVENT_CHARS + attributeChars(event.attributes)
  return chars
}

function attributeChars(attributes: Attributes = {}): number {
  let chars = 0
  for (const key in attributes) {
    const value = attributes[key]
    if (typeof value === 'string') chars += value.length
    else if (Array.isArray(value)) for (const item of value) chars += typeof item === 'string' ? item.length : 0
  }
  return chars
}
