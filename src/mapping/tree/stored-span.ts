import type { AttributeValue, Span, StoredSpan } from '../../semconv/index.js'

/** Converts a span to the row that a stock collector stores: each attribute value is text. */
export function toStoredSpan(span: Span): StoredSpan {
  return {
    ...span,
    kind: span.kind === 'CLIENT' ? 'Client' : 'Internal',
    attributes: asText(span.attributes),
    events: span.events.map((event) => ({ ...event, attributes: asText(event.attributes) })),
    links: span.links.map((link) => ({ ...link, attributes: asText(link.attributes) })),
    serviceName: '',
    scopeName: '',
    resourceAttributes: {},
  }
}

function asText(attributes: Readonly<Record<string, AttributeValue>>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const key in attributes) {
    const value = attributes[key]
    texts[key] = typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return texts
}
