import {
  type Baggage,
  baggageEntryMetadataFromString,
  type Context,
  createTraceState,
  isSpanContextValid,
  propagation,
  type SpanContext,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api'

const TRACE_PARENT = 'traceparent'
const TRACE_STATE = 'tracestate'
const BAGGAGE = 'baggage'

/** Version, trace id, span id and flags. Later versions may append more. */
const PARENT = /^\s*(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?\s*$/

/** The maximum length of the baggage header, which W3C defines. */
const MAX_BAGGAGE = 8_192

/**
 * W3C's trace context and baggage, the default propagators of OpenTelemetry. The SDK's own are in a package that
 * register() does not need otherwise.
 */
export const W3C_PROPAGATOR: TextMapPropagator = {
  fields: () => [TRACE_PARENT, TRACE_STATE, BAGGAGE],

  inject(context: Context, carrier: unknown, setter: TextMapSetter<unknown>): void {
    const span = trace.getSpanContext(context)
    if (span && isSpanContextValid(span)) {
      const flags = span.traceFlags.toString(16).padStart(2, '0')
      setter.set(carrier, TRACE_PARENT, `00-${span.traceId}-${span.spanId}-${flags}`)
      if (span.traceState) setter.set(carrier, TRACE_STATE, span.traceState.serialize())
    }
    const baggage = baggageText(propagation.getBaggage(context))
    if (baggage !== '') setter.set(carrier, BAGGAGE, baggage)
  },

  extract(context: Context, carrier: unknown, getter: TextMapGetter<unknown>): Context {
    const headerOf = (key: string): string => [getter.get(carrier, key) ?? []].flat().join(',')
    const span = parentOf(headerOf(TRACE_PARENT), headerOf(TRACE_STATE))
    const baggage = baggageOf(headerOf(BAGGAGE))
    const inTrace = span ? trace.setSpanContext(context, span) : context
    return baggage ? propagation.setBaggage(inTrace, baggage) : inTrace
  },
}

function parentOf(parent: string, state: string): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] = PARENT.exec(parent) ?? []
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  if (version === undefined || !isSpanContextValid(span)) return undefined
  return state === '' ? span : { ...span, traceState: createTraceState(state) }
}

function baggageText(baggage: Baggage | undefined): string {
  let text = ''
  for (const [key, { value, metadata }] of baggage?.getAllEntries() ?? []) {
    const entry = `${encodeURIComponent(key)}=${encodeURIComponent(value)}${metadata ? `;${metadata.toString()}` : ''}`
    const longer = text === '' ? entry : `${text},${entry}`
    if (longer.length <= MAX_BAGGAGE) text = longer
  }
  return text
}

function baggageOf(text: string): Baggage | undefined {
  const entries = text.split(',').flatMap((entry) => {
    const [pair = '', ...metadata] = entry.split(';')
    const at = pair.indexOf('=')
    const key = decoded(pair.slice(0, at).trim())
    const value = decoded(pair.slice(at + 1).trim())
    if (at <= 0 || !key || value === undefined) return []
    return [
      [key, metadata.length > 0 ? { value, metadata: baggageEntryMetadataFromString(metadata.join(';')) } : { value }],
    ]
  })
  return entries.length > 0 ? propagation.createBaggage(Object.fromEntries(entries)) : undefined
}

/** Undefined for text that is not encoded correctly. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
