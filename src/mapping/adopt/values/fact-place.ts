import { isData, type StoredSpan } from '../../../semconv/index.js'
import { dataIn } from './json-data.js'

/**
 * A place of a fact in a span: an attribute, which may count only `beside` another one, or beside one that `is` a
 * value; a `path` in an attribute's JSON; a `key` of an `event`; the span's name, whose relevant part is the group
 * `rest`, unless it matches `except`; several attributes as the values of an `object`; or `each` of several attributes
 * together, reported `as` one. ClickHouse reads some of these places, so the expressions are limited to RE2.
 */
export type Place =
  | string
  | { readonly key: string; readonly beside: string; readonly is?: string }
  | { readonly in: string; readonly path: readonly string[] }
  | { readonly event: string; readonly key: string }
  | { readonly object: Readonly<Record<string, string>> }
  | { readonly name: RegExp; readonly except?: RegExp }
  | { readonly each: RegExp; readonly as: string }

/** Returns the first value that is found in the places. */
export function factOf(span: StoredSpan, places: readonly Place[]): string | undefined {
  for (const place of places) {
    const value = valueAt(span, place)
    if (value !== undefined && !PLACEHOLDERS.has(value)) return value
  }
  return undefined
}

/** Texts that stand for a missing value; the second is Google ADK's. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['', '<not specified>'])

function valueAt({ attributes, name, events }: StoredSpan, place: Place): string | undefined {
  if (typeof place === 'string') return attributes[place]
  if ('event' in place) return events.find((event) => event.name === place.event)?.attributes[place.key]
  if ('object' in place) return objectOf(attributes, place.object)
  if ('key' in place) {
    const { [place.beside]: beside } = attributes
    return beside !== undefined && (place.is ?? beside) === beside ? attributes[place.key] : undefined
  }
  if ('each' in place) return Object.entries(attributes).find(([key]) => place.each.test(key))?.[1]
  if ('name' in place) {
    const rest = place.name.exec(name)?.groups?.['rest']?.trim()
    return rest !== undefined && place.except?.test(rest) === true ? undefined : rest
  }
  let value: unknown = dataIn(attributes[place.in])
  for (const key of place.path) value = isData(value) ? value[key] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function objectOf(attributes: StoredSpan['attributes'], keys: Readonly<Record<string, string>>): string | undefined {
  const known = Object.entries(keys).filter(([, key]) => attributes[key] !== undefined)
  return known.length > 0
    ? JSON.stringify(Object.fromEntries(known.map(([name, key]) => [name, attributes[key]])))
    : undefined
}

/** Returns the places of metadata that LangChain and LangGraph put on every span, under any instrumentation. */
export const inMetadata = (key: string): Place[] => [
  `langfuse.observation.metadata.${key}`,
  `langsmith.metadata.${key}`,
  `traceloop.association.properties.${key}`,
  { in: 'metadata', path: [key] },
]
