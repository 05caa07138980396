import { isData, type StoredSpan } from '../../semconv/index.js'
import { dataIn } from './json-data.js'

/**
 * Where a span tells a fact: in an attribute, which may count only `beside` another; at a `path` in an attribute's
 * JSON; in its own name, without what an instrumentation puts around it (the group `rest` is left), `except` what is
 * none; in `each` of several attributes together, which are spoken of `as` one. ClickHouse reads some, too: the
 * expressions are RE2's.
 */
export type Place =
  | string
  | { readonly key: string; readonly beside: string }
  | { readonly in: string; readonly path: readonly string[] }
  | { readonly name: RegExp; readonly except?: RegExp }
  | { readonly each: RegExp; readonly as: string }

/** The first of some places that tells anything. */
export function factOf(span: StoredSpan, places: readonly Place[]): string | undefined {
  for (const place of places) {
    const value = valueAt(span, place)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function valueAt({ attributes, name }: StoredSpan, place: Place): string | undefined {
  if (typeof place === 'string') return attributes[place]
  if ('key' in place) return place.beside in attributes ? attributes[place.key] : undefined
  if ('each' in place) return Object.entries(attributes).find(([key]) => place.each.test(key))?.[1]
  if ('name' in place) {
    const rest = place.name.exec(name)?.groups?.['rest']?.trim()
    return rest !== undefined && place.except?.test(rest) === true ? undefined : rest
  }
  let value: unknown = dataIn(attributes[place.in])
  for (const key of place.path) value = isData(value) ? value[key] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** The places of what LangChain and LangGraph put on every span, under any instrumentation. */
export const inMetadata = (key: string): Place[] => [
  `langfuse.observation.metadata.${key}`,
  `langsmith.metadata.${key}`,
  `traceloop.association.properties.${key}`,
  { in: 'metadata', path: [key] },
]
