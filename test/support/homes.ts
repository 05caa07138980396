import { leavesOf } from '../../scripts/conventions-page.mjs'
import type { Era } from '../../src/mapping/dialects/dialect.js'
import type { JsonNode } from '../../src/mapping/json/node.js'
import { compactJson } from '../../src/mapping/json/write.js'
import { HOMES, type Home } from '../../src/mapping/record-object/homes.js'
import type { FieldProperty, Property } from '../../src/mapping/record-object/property.js'

/** A position in a document: the span whose object contains it, and the path of keys from there. */
export interface Place {
  readonly origin: string
  readonly path: string
}

/** A key of an era's objects. */
export interface Leaf {
  /** The home of the object that contains the key. */
  readonly home: Home
  readonly path: string
  readonly property: Property
}

/** The keys of an era's objects. */
export const leavesIn = (era: Era): Leaf[] =>
  Object.values(era.objects).flatMap(({ home, properties, keys }) =>
    leavesOf(properties, keys).map(([path, property]) => ({ home, path, property })),
  )

const isField = ({ home, field }: FieldProperty, homes: readonly Home[], key: string): boolean => {
  const fields: Readonly<Record<string, { readonly key: string }>> = HOMES[home]
  return homes.includes(home) && fields[field]?.key === key
}

/** Whether a key represents an attribute of a home. */
export const isHome = ({ property }: Leaf, homes: readonly Home[], key: string): boolean =>
  property.kind === 'field' && isField(property, homes, key)

/** Whether a key is derived from an attribute. */
export function isSource({ property }: Leaf, homes: readonly Home[], key: string): boolean {
  const of = property.kind === 'field' ? (property.from?.sources ?? []) : property.kind === 'part' ? property.of : []
  return of.some((source) => typeof source !== 'string' && isField(source, homes, key))
}

/** Whether a key contains whole spans of one of the homes. */
export const isShowing = ({ property }: Leaf, homes: readonly Home[]): boolean =>
  property.kind === 'part' && property.of.some((source) => typeof source === 'string' && homes.includes(source))

/** The roles whose spans report events. */
const EVENT_HOMES: readonly Home[] = ['event', 'planning', 'agent', 'tool']

/** The keys of a position: of a span's object, or of an object below it that represents no span. */
export function leavesAt({ path }: Place, ofObject: readonly Leaf[], all: readonly Leaf[]): Leaf[] {
  const exact = ofObject.filter((leaf) => leaf.path === path)
  if (exact.length > 0) return exact
  const around = longest(ofObject.filter((leaf) => leaf.property.kind === 'part' && path.startsWith(`${leaf.path}.`)))
  const inner = around.flatMap((leaf) => {
    const homes = homesBelow(leaf.property)
    const rest = path.slice(leaf.path.length)
    return longest(all.filter(({ home, path }) => homes.includes(home) && rest.endsWith(`.${path}`)))
  })
  if (around.length > 0) return inner.length > 0 ? inner : around
  // Where an object is missing, so are its keys.
  return ofObject.filter((leaf) => path === '' || leaf.path.startsWith(`${path}.`))
}

/** The homes of the objects that the dialect may make of spans. */
function homesBelow(property: Property): readonly Home[] {
  const of = property.kind === 'part' ? property.of : []
  const shown = of.flatMap((source) => (typeof source === 'string' ? [source] : []))
  if (of.length === 0 || shown.includes('event')) return EVENT_HOMES
  return shown.length > 0 ? shown : of.flatMap((source) => (typeof source === 'string' ? [] : [source.home]))
}

function longest(leaves: readonly Leaf[]): Leaf[] {
  const length = Math.max(...leaves.map(({ path }) => path.length))
  return leaves.filter(({ path }) => path.length === length)
}

const below = ({ origin, path }: Place, key: string): Place => ({ origin, path: path === '' ? key : `${path}.${key}` })

const originOf = (node: JsonNode): string | undefined =>
  node.kind === 'object' || node.kind === 'array' ? node.origin : undefined

const placeOf = (node: JsonNode, at: Place): Place => {
  const origin = originOf(node)
  return origin === undefined ? at : { origin, path: '' }
}

const START: Place = { origin: '', path: '' }

/** The positions of a document whose values differ in a second document. */
export function changesOf(before: JsonNode, after: JsonNode | undefined, at = START): Place[] {
  const here = placeOf(before, at)
  if (before.kind === 'object' && after?.kind === 'object') {
    const values = new Map(after.members.map(({ key, value }) => [key.value, value]))
    const known = new Set(before.members.map(({ key }) => key.value))
    const added = [...values.keys()].filter((key) => !known.has(key)).map((key) => below(here, key))
    const changed = before.members.flatMap(({ key, value }) => {
      const place = below(here, key.value)
      return values.has(key.value) ? changesOf(value, values.get(key.value), place) : [place]
    })
    return [...changed, ...added]
  }
  if (before.kind === 'array' && after?.kind === 'array') {
    const { items } = after
    if (before.items.length === items.length) {
      return before.items.flatMap((item, index) => changesOf(item, items[index], here))
    }
    const byOrigin = new Map(items.map((item) => [originOf(item), item]))
    if (!byOrigin.has(undefined)) {
      return before.items.flatMap((item) => changesOf(item, byOrigin.get(originOf(item)), here))
    }
  }
  return after && compactJson(before) === compactJson(after) ? [] : [here]
}

/** The positions of a document with a value other than null. */
export function placesOf(node: JsonNode, at = START): Place[] {
  const here = placeOf(node, at)
  if (node.kind === 'object') return node.members.flatMap(({ key, value }) => placesOf(value, below(here, key.value)))
  if (node.kind === 'array') return node.items.flatMap((item) => placesOf(item, here))
  return node.kind === 'literal' && node.value === null ? [] : [here]
}
