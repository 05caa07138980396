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

/** Where a context has what makes the spans of planspan's own work. */
const TRACER = createContextKey('planspan.own-spans')

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/** The context in which what a span stands for is done: if it is sampled, spans below it tell of work there. */
export function contextOf(tracer: Tracer, span: Span, outer: Context): Context {
  const inner = trace.setSpan(outer, span)
  return isSampled(span) ? inner.setValue(TRACER, tracer) : inner
}

/** The span of planspan's own that work is done below; undefined where nothing is told of it. */
export const activeOwnSpan = (active = context.active()): Span | undefined =>
  active.getValue(TRACER) === undefined ? undefined : trace.getSpan(active)

/**
 * Runs work in a span of its own, which the work ends. Nothing is told of work that nobody waits for (any more), such
 * as what is done from time to time: it would tell of the sending of spans, too, and so go on for ever.
 */
export function startOwnSpan<T>(name: string, options: SpanOptions, work: (span: Span) => T): T {
  const active = context.active()
  const tracer = active.getValue(TRACER) as Tracer | undefined
  return tracer && trace.getSpan(active)?.isRecording() ? tracer.startActiveSpan(name, options, work) : work(NO_SPAN)
}

/** Runs work in a span of its own. Throws what the work throws. */
export const inOwnSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  startOwnSpan(name, { attributes }, (span) => untilDone(span, work))

/** Runs work in a span of its own that is done for several at once: below the first that tells of its work. */
export function inSharedSpan<T>(
  name: string,
  attributes: Attributes,
  contexts: readonly Context[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = contexts.filter((one) => activeOwnSpan(one))
  const tracer = first?.getValue(TRACER) as Tracer | undefined
  // Not in that of whoever came first.
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

/** Notes what kind of error it was, without its message: that may have something of a plan. */
export function fail(span: Span, error: unknown): void {
  const { code, name = '_OTHER' } = (error ?? {}) as { code?: unknown; name?: string }
  span.setAttribute('error.type', typeof code === 'string' ? code : name)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const isSampled = (span: Span): boolean => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
