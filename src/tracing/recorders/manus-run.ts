import { type EventValues, SessionReducer, WORKFLOW } from '../../mapping/dialects/plan-act/index.js'
import type { LivePlan } from '../live-plan.js'
import { openPlan } from '../plan.js'
import { activeContext } from '../scope.js'
import { openSegment } from '../resume.js'
import { streamIdOf, type ManusEvent } from './manus-event.js'
import { ManusPlan } from './manus-span.js'
import { hrTimeOf, type RecordedClock, unixNanoOf } from './recorded-clock.js'

const NANOS_PER_MS = 1_000_000n

/** The start of a run. */
interface ManusRunStart {
  readonly planId: string | undefined
  readonly sessionId: string | undefined
  readonly time: bigint
  readonly clock: RecordedClock
}

/**
 * One plan of a ManusX session, from its request to `done` or an error, and the errors after that. An event whose
 * meaning depends on the next one is held back until then.
 */
export class ManusRun {
  readonly #clock: RecordedClock
  readonly #sink: ManusPlan
  #plan: LivePlan
  readonly #session: SessionReducer
  /** A plan event without a status, held back. */
  #heldPlan: ManusEvent | undefined
  /** The last answer, which is the summary if the plan is completed after it. */
  #heldAnswer: ManusEvent | undefined
  /** Whether the request is known, so that later user messages are not the request. */
  #isAsked = false
  #isOver = false
  #count = 0
  #last: bigint

  constructor({ planId, sessionId, time, clock }: ManusRunStart) {
    this.#clock = clock
    this.#last = time
    const options = { workflow: WORKFLOW, planId, conversationId: sessionId }
    this.#plan = clock.at(hrTimeOf(time), () => openPlan(options, activeContext(), clock))
    this.#sink = new ManusPlan(this.#plan, clock)
    this.#session = new SessionReducer(this.#sink)
  }

  get planId(): string {
    return this.#plan.planId
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Records an event. An event after the end of the plan is recorded in the plan's next segment. */
  take(received: ManusEvent): true {
    const event = this.#place(received)
    const { type, values } = event
    if (this.#isOver) this.#continue(event.time)
    this.#releasePlan(type === 'done')
    if (type === 'done') this.#releaseAnswer(this.#session.isComplete ? 'summary' : undefined)
    else if (type !== 'plan') this.#releaseAnswer()
    this.#isOver = type === 'done' || type === 'error'
    const isRequest = type === 'message' && values['role'] === 'user' && !this.#isAsked
    this.#isAsked ||= isRequest || type === 'plan'
    if (type === 'message' && values['role'] === 'assistant') this.#heldAnswer = event
    else if (type === 'plan' && values['eventStatus'] === undefined) this.#heldPlan = event
    else this.#replay(event, isRequest ? { contentIn: 'request' } : {})
    return true
  }

  /** Ends all open spans as interrupted. */
  interrupt(): void {
    this.#releasePlan()
    this.#releaseAnswer()
    this.#isOver = true
    const now = this.#after(unixNanoOf(this.#clock.now()))
    this.#clock.at(hrTimeOf(now), () => this.#session.interrupt())
  }

  /** Gives an event its position, a time that never goes back, and an id, if it has none of the stream. */
  #place(event: ManusEvent): ManusEvent {
    const time = this.#after(event.time)
    const seq = this.#count++
    const { streamId = streamIdOf(event) ?? `${time / NANOS_PER_MS}-${seq}` } = event.values
    const hasId = streamId === event.values['eventId']
    return { ...event, seq, time, values: hasId ? event.values : { ...event.values, streamId } }
  }

  #continue(time: bigint): void {
    const token = this.#plan.resumable
    this.#plan = this.#clock.at(hrTimeOf(time), () => openSegment(token, undefined, this.#clock))
    this.#sink.continue(this.#plan)
    this.#isOver = false
  }

  #replay(event: ManusEvent, more: EventValues = {}, isLast = false): void {
    const values = { ...event.values, ...more }
    this.#clock.at(hrTimeOf(event.time), () => this.#session.take({ ...event, values }, { isLast }))
  }

  #releasePlan(isLast = false): void {
    const held = this.#heldPlan
    this.#heldPlan = undefined
    if (held) this.#replay(held, {}, isLast)
  }

  #releaseAnswer(contentIn?: string): void {
    const held = this.#heldAnswer
    this.#heldAnswer = undefined
    if (held) this.#replay(held, contentIn === undefined ? {} : { contentIn })
  }

  /** Returns the given time, or the last one if that was later. */
  #after(time: bigint): bigint {
    this.#last = time > this.#last ? time : this.#last
    return this.#last
  }
}
