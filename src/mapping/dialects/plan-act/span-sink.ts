import type { Role, State } from '../../../semconv/index.js'
import type { EventValues, PlanActEvent } from './event.js'

/** The roles that a session has below its plan. */
export type SinkRole = Extract<Role, 'planning' | 'agent' | 'wait' | 'think_act' | 'tool'>

/** A span of a session, as the session's events make it: a draft where they are imported, else a live span. */
export interface SpanSink {
  /**
   * Begins a span below, at the time of the event that tells of it, or before where it is known since when it goes on.
   */
  begin(role: SinkRole, values: EventValues, time: bigint | undefined, since?: bigint): SpanSink
  /** Says more of the span, and where it stands while it is open. */
  set(values: EventValues, state?: State): void
  /** Notes an event of the session, with what is the event's own. A live span says most of them in its own events. */
  event(event: PlanActEvent, name: string, values?: EventValues): void
  end(state: State, how?: SpanEnd): void
}

export interface SpanEnd {
  /** The time of the event that tells of the end. What is given up has none: a live span of it ends now. */
  readonly time?: bigint | undefined
  /** What a live span that failed says; an import has it where it was told. */
  readonly error?: string | undefined
}

/** The plan of a session. In an import more events may follow its end, with which it goes on. */
export interface PlanSink extends SpanSink {
  /**
   * Says something of the plan, and answers what has to be said in another place: an import's plan, which knows all the
   * events, keeps to what the first of them says, a live one says the latest.
   */
  tell(values: EventValues): EventValues
}
