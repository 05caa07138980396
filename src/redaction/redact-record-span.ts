import { append } from '../base/append.js'
import { ATTR, type AttributeValue, type Span } from '../semconv/index.js'
import { redactedFields, type Redactor } from './redactor.js'

/** Returns a copy with secrets masked and the masked attributes listed, or the span itself if it has no secrets. */
export function redactRecordSpan(redactor: Redactor, span: Span): Span {
  const keys: string[] = []
  const mask = (attributes: Readonly<Record<string, AttributeValue>>): Readonly<Record<string, AttributeValue>> => {
    const masked = redactor.attributes(attributes)
    append(keys, masked?.keys ?? [])
    return masked?.attributes ?? attributes
  }
  const text = (value: string, key: string): string => {
    const masked = redactor.text(value)
    if (masked !== value) keys.push(key)
    return masked
  }
  const masked: Span = {
    ...span,
    name: text(span.name, 'name'),
    statusMessage: text(span.statusMessage, 'status.message'),
    attributes: mask(span.attributes),
    events: span.events.map((event) => ({
      ...event,
      name: text(event.name, 'name'),
      attributes: mask(event.attributes),
    })),
    links: span.links.map((link) => ({ ...link, attributes: mask(link.attributes) })),
  }
  if (keys.length === 0) return span
  const listed = redactedFields(span.attributes[ATTR.redactedFields], keys)
  return { ...masked, attributes: { ...masked.attributes, [ATTR.redactedFields]: listed } }
}
