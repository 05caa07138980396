import { textOf } from '../../mapping/dialects/plan-act/index.js'
import { countDrop } from '../drops.js'
import { countUnknownOptions } from '../option-names.js'
import { readText } from '../read-option.js'
import { readManusEvent, streamIdOf, type ManusEvent } from './manus-event.js'
import { ManusRun } from './manus-run.js'
import { recordSafely } from './record-safely.js'
import { RecordedClock, unixNanoOf } from './recorded-clock.js'

/** How a ManusX session is recorded. */
export interface ManusRecorderOptions {
  /** The id of the session, which becomes its plans' conversation. */
  sessionId?: string | undefined
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof ManusRecorderOptions>(['sessionId'])

/** Events that precede the plan they belong to. */
const PREFACE: ReadonlySet<string> = new Set(['title', 'message'])
/** Events that start a run even if nothing came before them. */
const BEGINNING: ReadonlySet<string> = new Set(['plan', 'step', 'tool'])
/** Events that end a run. ManusX may report a second error after the first. */
const ENDS: ReadonlySet<string> = new Set(['done', 'error'])
const MAX_PREFACE = 1_000

/** Records the events of one ManusX session. Never throws; events that belong to no plan count as dropped. */
export interface ManusRecorder {
  /** The id under which the latest plan's record is found; undefined before its first event. */
  readonly planId: string | undefined
  /**
   * Records an event when it happens: the domain's plain data, bare or as `{id, data}` from the Redis stream, a
   * WebSocket frame, or `{event, data}` of the SSE stream. The time is that of the event's stream id, else the current
   * time. An event that the stream repeats, to another client or after a reconnect, is ignored.
   */
  event(event: unknown): void
  /** Ends an open plan as interrupted, when the stream has broken off. */
  end(): void
}

class SessionRecorder implements ManusRecorder {
  readonly #sessionId: string | undefined
  readonly #clock = new RecordedClock()
  #preface: ManusEvent[] = []
  #run: ManusRun | undefined
  #last: readonly [bigint, bigint] | undefined

  constructor(options?: ManusRecorderOptions) {
    countUnknownOptions('createManusRecorder()', options, OPTION_NAMES)
    this.#sessionId = readText(options, 'sessionId')
  }

  get planId(): string | undefined {
    return this.#run?.planId
  }

  event(event: unknown): void {
    recordSafely('a ManusX event', () => {
      const read = readManusEvent(event, this.#now())
      if (!read || !this.#take(read)) countDrop('event', 'a ManusX event')
    })
  }

  end(): void {
    recordSafely('the end of a ManusX session', () => {
      if (this.#preface.length > 0) this.#begin(undefined, this.#now())
      if (this.#run?.isOver === false) this.#run.interrupt()
    })
  }

  #take(event: ManusEvent): boolean {
    if (this.#isRepeated(event)) return true
    const { type } = event
    const run = this.#run
    if (run && !run.isOver) return run.take(event)
    const hasBegun = this.#preface.length > 0
    if (PREFACE.has(type) || (hasBegun && !BEGINNING.has(type) && !ENDS.has(type) && type !== 'wait')) {
      if (this.#preface.length >= MAX_PREFACE) return false
      this.#preface.push(event)
      return true
    }
    if (!hasBegun && !BEGINNING.has(type)) return ENDS.has(type) && run?.take(event) === true
    const planId = type === 'plan' ? textOf(event.values['recordId']) : undefined
    return this.#begin(planId, event.time).take(event)
  }

  /** Whether the stream repeats an event. The ids of a stream only increase. */
  #isRepeated(event: ManusEvent): boolean {
    const [time, count] =
      /^(\d+)-(\d+)$/
        .exec(streamIdOf(event) ?? '')
        ?.slice(1)
        .map(BigInt) ?? []
    if (time === undefined || count === undefined) return false
    const last = this.#last
    if (last && (time < last[0] || (time === last[0] && count <= last[1]))) return true
    this.#last = [time, count]
    return false
  }

  /** Starts a run with the events that came before it. */
  #begin(planId: string | undefined, now: bigint): ManusRun {
    const preface = this.#preface
    this.#preface = []
    const time = preface[0]?.time ?? now
    const run = new ManusRun({ planId, sessionId: this.#sessionId, time, clock: this.#clock })
    this.#run = run
    for (const before of preface) run.take(before)
    return run
  }

  #now(): bigint {
    return unixNanoOf(this.#clock.now())
  }
}

/**
 * Creates a recorder for one session of ManusX; each request becomes a plan, with ManusX's id.
 *
 * @example
 * const recorder = createManusRecorder({ sessionId: 'session-1' })
 * for await (const event of stream) recorder.event(event)
 */
export const createManusRecorder = (options?: ManusRecorderOptions): ManusRecorder => new SessionRecorder(options)
