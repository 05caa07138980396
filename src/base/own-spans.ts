import {
  context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'

/** The key under which a context holds the tracer of planspan's own work. */
const TRACER = createContextKey('planspan.own-spans')

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/** Returns the context for the work of a span. If the span is sampled, work in this context is traced below it. */
export function contextOf(tracer: Tracer, span: Span, outer: Context): Context {
  const inner = trace.setSpan(outer, span)
  return isSampled(span) ? inner.setValue(TRACER, tracer) : inner
}

/** Returns the active span of planspan's own work; undefined where work is not traced. */
export const activeOwnSpan = (active = context.active()): Span | undefined =>
  active.getValue(TRACER) === undefined ? undefined : trace.getSpan(active)

/**
 * Runs work in a new span, which the work ends. Background work is not traced: a trace of the export of spans would
 * cause further exports without end.
 */
export function startOwnSpan<T>(name: string, options: SpanOptions, work: (span: Span) => T): T {
  const active = context.active()
  const tracer = active.getValue(TRACER) as Tracer | undefined
  return tracer && trace.getSpan(active)?.isRecording() ? tracer.startActiveSpan(name, options, work) : work(NO_SPAN)
}

/** Runs work in a new span. Rethrows the errors of the work. */
export const inOwnSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  startOwnSpan(name, { attributes }, (span) => untilDone(span, work))

/** Runs work for several contexts at once, in one new span below the first traced context and linked to the others. */
export function inSharedSpan<T>(
  name: string,
  attributes: Attributes,
  contexts: readonly Context[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = contexts.filter((one) => activeOwnSpan(one))
  const tracer = first?.getValue(TRACER) as Tracer | undefined
  // Without a traced context, the work must not run in the context of one of its callers.
  if (!first || !tracer) return context.with(ROOT_CONTEXT, work)
  const links = others.flatMap((other): Link[] => {
    const span = trace.getSpan(other)
    return span ? [{ context: span.spanContext() }] : []
  })
  return tracer.startActiveSpan(name, { attributes, links }, first, (span) => untilDone(span, work))
}

async function untilDone<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    fail(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Records the type of an error, without its message, which may contain content of a plan. */
export function fail(span: Span, error: unknown): void {
  const { code, name = '_OTHER' } = (error ?? {}) as { code?: unknown; name?: string }
  span.setAttribute('error.type', typeof code === 'string' ? code : name)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const isSampled = (span: Span): boolean => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
