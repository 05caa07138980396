import type { Context } from '@opentelemetry/api'

/** A running span of a plan. None of its methods throws, whatever it is given and whenever it is called. */
export interface SpanHandle {
  /** The OpenTelemetry context of this span, for `context.with` and as the parent of other instrumentation. */
  readonly context: Context
  /** Records an error on the span: ERROR status, `error.type`, exception event. The span goes on. */
  error(error: unknown): void
  /** Ends the span; further calls do nothing. */
  end(): void
  /** Records an error and ends the span. */
  fail(error: unknown): void
  /** Marks what the span stands for as cancelled, which is no error; the span goes on. */
  cancel(): void
}
