import type { Context } from '@opentelemetry/api'

/** A running span of a plan. Its methods never throw, whatever they are given and whenever they are called. */
export interface SpanHandle {
  /** The OpenTelemetry context of this span, for `context.with` and as the parent of other instrumentation. */
  readonly context: Context
  /** Records an error on the span: ERROR status, `error.type`, exception event. The span stays open. */
  error(error: unknown): void
  /** Ends the span; further calls do nothing. */
  end(): void
  /** Records an error and ends the span. */
  fail(error: unknown): void
  /** Marks the plan, agent or call as cancelled, which is not an error. The span stays open. */
  cancel(): void
}
