import type { Role, State } from '../../../semconv/index.js'
import type { EventValues, PlanActEvent } from './plan-act-event.js'

/** The roles that a session has below its plan. */
export type SinkRole = Extract<Role, 'planning' | 'agent' | 'wait' | 'think_act' | 'tool'>

/** A span of a session, as the session's events make it: a draft where they are imported, else a live span. */
export interface SpanSink {
  /** Begins a span below at `since`, or else at the time of the event that tells of it. */
  begin(role: SinkRole, values: EventValues, time: bigint | undefined, since?: bigint): SpanSink
  /** Sets values of the span and, while it is open, its state. */
  set(values: EventValues, state?: State): void
  /** Adds an event of the session with the values of its own. A live span has events of its own for most of them. */
  event(event: PlanActEvent, name: string, values?: EventValues): void
  end(state: State, how?: SpanEnd): void
}

export interface SpanEnd {
  /** The time of the event that tells of the end. Work that was given up has none: its live span ends now. */
  readonly time?: bigint | undefined
  /** The error message of a live span that failed; an import has it where it was told. */
  readonly error?: string | undefined
}

/** The plan of a session. In an import more events may follow its end, with which it goes on. */
export interface PlanSink extends SpanSink {
  /**
   * Sets values of the plan, and returns those that must stand elsewhere: an imported plan, of which all events are
   * known, has those of its first event, a live one always takes the latest.
   */
  tell(values: EventValues): EventValues
}
