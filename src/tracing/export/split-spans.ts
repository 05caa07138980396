import type { SpanLike } from '../sdk-types.js'
import { envelopeBytes, spanBytes } from './span-size.js'

/** Splits spans into parts whose OTLP requests fit the limit; a larger span gets a part of its own. */
export function splitSpans(spans: readonly SpanLike[], maxRequestBytes: number): SpanLike[][] {
  const parts: SpanLike[][] = []
  let part: SpanLike[] = []
  let bytes = 0
  let envelopes = new Set<unknown>()
  for (const span of spans) {
    const own = spanBytes(span)
    const added = own + newEnvelopes(span, envelopes)
    if (part.length > 0 && bytes + added > maxRequestBytes) {
      parts.push(part)
      part = []
      envelopes = new Set()
      bytes = own + newEnvelopes(span, envelopes)
    } else bytes += added
    part.push(span)
    envelopes.add(span.resource)
    envelopes.add(span.instrumentationScope)
  }
  if (part.length > 0) parts.push(part)
  return parts
}

const newEnvelopes = (span: SpanLike, envelopes: ReadonlySet<unknown>): number =>
  envelopes.has(span.resource) && envelopes.has(span.instrumentationScope) ? 0 : envelopeBytes(span)
