import type { Role, State } from '../../../semconv/index.js'
import type { EventValues, PlanActEvent } from './plan-act-event.js'

/** The roles of spans below a session's plan. */
export type SinkRole = Extract<Role, 'planning' | 'agent' | 'wait' | 'think_act' | 'tool'>

/** A span that a session's events build: a draft for an import, otherwise a live span. */
export interface SpanSink {
  /** Begins a span below this one, at `since` or at the time of the event that reports it. */
  begin(role: SinkRole, values: EventValues, time: bigint | undefined, since?: bigint): SpanSink
  /** Sets values of the span and, while it is open, its state. */
  set(values: EventValues, state?: State): void
  /** Adds an event of the session with its values. A live span records most of them itself. */
  event(event: PlanActEvent, name: string, values?: EventValues): void
  end(state: State, how?: SpanEnd): void
}

export interface SpanEnd {
  /** The time of the event that reports the end. Work that was given up has none; its live span ends now. */
  readonly time?: bigint | undefined
  /** The error message of a failed live span. An import records the error in its place. */
  readonly error?: string | undefined
}

/** The plan of a session. In an import more events may follow its end and continue it. */
export interface PlanSink extends SpanSink {
  /**
   * Sets values of the plan, and returns those that must be stored elsewhere. An imported plan, whose events are all
   * known, keeps those of its first event. A live plan always takes the latest.
   */
  setCarried(values: EventValues): EventValues
}
