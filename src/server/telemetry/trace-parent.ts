import { createTraceState, isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'

/** A request's headers `traceparent` and `tracestate` (https://www.w3.org/TR/trace-context/). */
export interface TraceHeaders {
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

/** Returns the trace headers of a request. */
export const traceHeadersOf = (headers: IncomingHttpHeaders): TraceHeaders => ({
  traceparent: joined(headers['traceparent']),
  tracestate: joined(headers['tracestate']),
})

const joined = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(',')

/** Versions above 00 may have further fields. */
const FORM = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Returns the span that sent a request; undefined without one, or if it is malformed. */
export function traceParent({ traceparent = '', tracestate }: TraceHeaders): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = FORM.exec(traceparent.trim()) ?? []
  if (version === '00' && more !== undefined) return undefined
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  if (!isSpanContextValid(parent)) return undefined
  return tracestate === undefined ? parent : { ...parent, traceState: createTraceState(tracestate) }
}
