import { draftState, type EventDraft, type SpanDraft } from '../span-draft.js'
import { encodeFields, type everySpanFields, type FieldValues, type Role, type State } from '../../../semconv/index.js'
import { SESSION_EVENT_FIELDS, textOf, type EventValues, type PlanActEvent } from './plan-act-event.js'
import { spanEventValues, USUAL_STATUS } from './plan-events.js'
import type { SinkRole, SpanEnd, SpanSink } from './span-sink.js'

interface PlacedEvent {
  readonly event: PlanActEvent
  readonly name: string
  readonly values: EventValues
}

/** A span that is built while a session's events are imported. */
export class SpanBuilder implements SpanSink {
  readonly #role: Role
  readonly #children: SpanBuilder[] = []
  readonly #events: PlacedEvent[] = []
  protected readonly values: EventValues
  #state: State
  #start: bigint | undefined
  #end: bigint | undefined

  constructor(role: Role, values: EventValues, start?: bigint) {
    this.#role = role
    this.values = role === 'agent' ? { name: values['name'], detail: 'full', ...values } : { ...values }
    this.#state = role === 'wait' ? 'waiting' : 'running'
    this.#start = start
  }

  begin(role: SinkRole, values: EventValues, time: bigint | undefined, since?: bigint): SpanBuilder {
    const child = new SpanBuilder(role, values, since ?? time)
    // A span that is first reported after it began has ended by then, unless a later event changes that.
    if (since !== undefined) child.#end = time
    this.#children.push(child)
    return child
  }

  set(values: EventValues, state: State = this.#state): void {
    Object.assign(this.values, values)
    this.#state = state
  }

  /**
   * Adds an event. All events except the last, whose status is the span's, keep their status only if it is not the
   * default one.
   */
  event(event: PlanActEvent, name: string, values: EventValues = {}): void {
    const usual = USUAL_STATUS.get(name)
    if (usual === undefined) {
      this.#events.push({ event, name, values })
      return
    }
    const before = this.#events.at(-1)
    const status = before?.event.values['status']
    if (before && status !== usual) before.values['status'] = status
    const { eventStatus } = event.values
    this.#events.push({ event, name, values: { ...values, eventStatus } })
  }

  end(state: State, how: SpanEnd = {}): void {
    this.#state = state
    if ('time' in how) this.#end = how.time
  }

  /** Extends the span to the earliest and the latest of some times. */
  lasts(times: readonly bigint[]): void {
    const [first] = times
    if (first === undefined) return
    this.#start = times.reduce((a, b) => (a < b ? a : b), first)
    this.#end = times.reduce((a, b) => (a > b ? a : b), first)
  }

  toDraft(agentName?: string): SpanDraft {
    const { values } = this
    const own = SUBJECT[this.#role]
    const subject = own === undefined ? (this.#role === 'think_act' ? agentName : undefined) : textOf(values[own])
    return {
      role: this.#role,
      subject,
      every: { ...(pick(values, OF_EVERY_SPAN) as EveryValues), ...draftState(this.#state) },
      values,
      start: this.#start,
      end: this.#end,
      events: this.#events.map(toEventDraft),
      children: this.#children.map((child) => child.toDraft(subject)),
    }
  }
}

type EveryValues = FieldValues<typeof everySpanFields>

/** The field that is the low-cardinality part of a span's name. */
const SUBJECT: Partial<Record<Role, string>> = {
  plan: 'workflow',
  planning: 'planner',
  agent: 'name',
  tool: 'name',
}

const OF_EVERY_SPAN = ['recordId', 'status', 'errorMessage', 'conversationId'] as const

function toEventDraft({ event, name, values }: PlacedEvent): EventDraft {
  const own = spanEventValues(event, values) as FieldValues<typeof SESSION_EVENT_FIELDS>
  return { name, time: event.time, attributes: encodeFields(SESSION_EVENT_FIELDS, own) }
}

const pick = (values: EventValues, names: readonly string[]): EventValues =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
