import { ATTR, type AttributeValue, type Span } from '../semconv/index.js'
import { appendIndex, appendKey, type JsonNode, type JsonPointer } from './json/index.js'

/**
 * Replaces the keys of times that could not be read by their paths in the record. `documentOf` returns the document
 * that the spans decode to, whose objects name their spans.
 */
export function withTimePaths(spans: readonly Span[], documentOf: () => JsonNode | undefined): readonly Span[] {
  if (!spans.some(hasUnread)) return spans
  const places = placesOf(documentOf())
  return spans.map((span) => {
    const place = places.get(span.spanId) ?? ''
    return {
      ...span,
      attributes: withPaths(span.attributes, place),
      events: span.events.map((event) => {
        const seq = event.attributes[ATTR.seq]
        return {
          ...event,
          attributes: withPaths(event.attributes, seq === undefined ? place : `${place}/${String(seq)}`),
        }
      }),
    }
  })
}

type Attributes = Readonly<Record<string, AttributeValue>>

const hasUnread = ({ attributes, events }: Span): boolean =>
  ATTR.recordUnreadTimes in attributes || events.some((event) => ATTR.recordUnreadTimes in event.attributes)

function withPaths(attributes: Attributes, place: JsonPointer): Attributes {
  const keys = attributes[ATTR.recordUnreadTimes]
  if (!Array.isArray(keys)) return attributes
  return { ...attributes, [ATTR.recordUnreadTimes]: keys.map((key) => appendKey(place, String(key), 0)) }
}

/** Returns the places of a document's objects by the spans that they name. */
function placesOf(document: JsonNode | undefined): ReadonlyMap<string, JsonPointer> {
  const places = new Map<string, JsonPointer>()
  const pending: [JsonNode, JsonPointer][] = document ? [[document, '']] : []
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, place] = next
    if (node.kind === 'object') {
      if (node.origin !== undefined) places.set(node.origin, place)
      for (const { key, value } of node.members) pending.push([value, appendKey(place, key.value, 0)])
    } else if (node.kind === 'array') {
      for (const [index, item] of node.items.entries()) {
        const slot = item.kind === 'object' ? (item.slot ?? index) : index
        pending.push([item, appendIndex(place, slot)])
      }
    }
  }
  return places
}
