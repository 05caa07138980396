import { draftState, type EventDraft, type SpanDraft } from '../../draft.js'
import {
  encodeFields,
  eventFields,
  everySpanFields,
  type FieldValues,
  planningFields,
  type Role,
  type State,
} from '../../../semconv/index.js'
import type { EventValues, PlanActEvent } from './event.js'

type EveryValues = FieldValues<typeof everySpanFields>

interface PlacedEvent {
  readonly event: PlanActEvent
  readonly name: string
  readonly values: EventValues
}

/** A span that grows while a session's events are replayed. */
export class SpanBuilder {
  readonly role: Role
  readonly #children: SpanBuilder[] = []
  readonly #events: PlacedEvent[] = []
  subject: string | undefined
  every: EveryValues = {}
  values: EventValues = {}
  state: State | undefined
  start: bigint | undefined
  end: bigint | undefined

  constructor(role: Role, parent?: SpanBuilder) {
    this.role = role
    if (parent) parent.#children.push(this)
  }

  /** Makes the span run from one time to another, or stand at the other where it is no later. */
  last(since: bigint | undefined, end: bigint | undefined): void {
    this.start = since !== undefined && end !== undefined && since < end ? since : end
    this.end = end
  }

  /** Notes an event of the session on the span, with what is the event's own. */
  place(event: PlanActEvent, name: string, values: EventValues = {}): void {
    this.#events.push({ event, name, values })
  }

  /** Notes a change of status. Before the span's last event one says its status only where it is not the usual one. */
  placeStatus(event: PlanActEvent, name: string, usual: string): void {
    const before = this.#events.at(-1)
    const status = before?.event.values['status']
    if (before && status !== usual) before.values['status'] = status
    const { eventStatus } = event.values
    this.place(event, name, { eventStatus })
  }

  toDraft(): SpanDraft {
    return {
      role: this.role,
      subject: this.subject,
      every: { ...this.every, ...draftState(this.state) },
      values: this.values,
      start: this.start,
      end: this.end,
      events: this.#events.map(toEventDraft),
      children: this.#children.map((child) => child.toDraft()),
    }
  }
}

function toEventDraft({ event, name, values }: PlacedEvent): EventDraft {
  const { eventId, streamId, timestamp } = event.values
  const own = { ...values, eventId, streamId, timestamp, seq: event.seq }
  return {
    name,
    time: event.time,
    attributes: {
      ...encodeFields(planningFields, own as FieldValues<typeof planningFields>),
      ...encodeFields(everySpanFields, pick(own, EVERY) as EveryValues),
      ...encodeFields(eventFields, own as FieldValues<typeof eventFields>),
    },
  }
}

const EVERY = ['recordId', 'errorMessage'] as const

const pick = (values: EventValues, names: readonly string[]): EventValues =>
  Object.fromEntries(names.map((name) => [name, values[name]]))
