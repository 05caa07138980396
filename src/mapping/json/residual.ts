import { appendTo } from '../../base/append.js'
import { toWellFormed } from '../../semconv/index.js'
import { expectedSpace } from './expected-space.js'
import { bare, compactJson } from './write.js'
import type { JsonArray, JsonNode, JsonObject } from './node.js'
import { appendIndex, appendKey, type JsonPointer } from './pointer.js'
import { stringDeviation, type StringDeviation } from './string-writing.js'
import type { JsonStyle } from './style.js'

/** One deviation of a record from its canonical form, at a place relative to the object of a span. */
export type Deviation =
  | readonly ['unset', JsonPointer]
  | readonly ['set', JsonPointer, string]
  | readonly ['insert', JsonPointer, string]
  | readonly ['order', JsonPointer, readonly string[]]
  | readonly ['number', JsonPointer, string]
  | readonly ['escape', JsonPointer, StringDeviation]
  | readonly ['escape-key', JsonPointer, StringDeviation]
  | readonly ['space', JsonPointer, readonly (readonly [index: number, space: string])[]]

/** The content of `planspan.residual`: the deviations and, on the root span, a style that is not canonical. */
export interface Residual {
  readonly style?: JsonStyle
  readonly deviations?: readonly Deviation[]
}

/**
 * Compares a parsed document with the canonical document that was decoded from its spans. Returns the deviations by the
 * span whose object contains them, otherwise by the root span. Unknown keys, unexpected nulls, other key orders, number
 * texts, escapes and white space are deviations. A value that a span carries never is.
 */
export function diffFromCanonical(
  canonical: JsonNode,
  actual: JsonNode,
  style: JsonStyle,
  rootOrigin: string,
): ReadonlyMap<string, readonly Deviation[]> {
  const found = new Map<string, Deviation[]>()
  compare(canonical, actual, { style, depth: 0, pointer: '', sink: sinkOf(found, rootOrigin), found })
  return found
}

interface Cursor {
  readonly style: JsonStyle
  readonly depth: number
  readonly pointer: JsonPointer
  readonly sink: (deviation: Deviation) => void
  readonly found: Map<string, Deviation[]>
}

function sinkOf(found: Map<string, Deviation[]>, origin: string): (deviation: Deviation) => void {
  return (deviation) => {
    appendTo(found, origin, deviation)
  }
}

function compare(canonical: JsonNode, actual: JsonNode, cursor: Cursor): void {
  const { pointer, sink, style } = cursor
  if (canonical.kind === 'object' && actual.kind === 'object') {
    const local = canonical.origin === undefined ? cursor : atOrigin(cursor, canonical.origin)
    compareObjects(canonical, actual, local)
  } else if (canonical.kind === 'array' && actual.kind === 'array' && alignable(canonical, actual)) {
    compareArrays(canonical, actual, cursor)
  } else if (canonical.kind === 'string' && actual.kind === 'string' && sameText(canonical.value, actual.value)) {
    const deviation = stringDeviation(canonical.value, actual, style)
    if (deviation.length > 0) sink(['escape', pointer, deviation])
  } else if (canonical.kind === 'number' && actual.kind === 'number' && sameNumber(canonical.text, actual.text)) {
    if (canonical.text !== actual.text) sink(['number', pointer, actual.text])
  } else if (!(canonical.kind === 'literal' && actual.kind === 'literal' && canonical.value === actual.value)) {
    sink(['set', pointer, compactJson(actual)])
    compare(bare(actual), actual, cursor)
  }
}

const atOrigin = (cursor: Cursor, origin: string): Cursor => ({
  ...cursor,
  pointer: '',
  sink: sinkOf(cursor.found, origin),
})

/** The store returns a lone surrogate as U+FFFD. */
const sameText = (canonical: string, actual: string): boolean =>
  canonical === actual || canonical === toWellFormed(actual)

const sameNumber = (a: string, b: string): boolean => a === b || Number(a) === Number(b)

function compareObjects(canonical: JsonObject, actual: JsonObject, cursor: Cursor): void {
  const { pointer, sink } = cursor
  const expected = keyed(canonical)
  const present = keyed(actual)
  const order: string[] = []
  for (const key of expected.keys()) if (present.has(key)) order.push(key)
  // From the last to the first, so that repeated keys keep their numbers until they are removed.
  for (const key of [...expected.keys()].reverse()) if (!present.has(key)) sink(['unset', pointer + key])
  for (const [key, entry] of present) {
    if (expected.has(key)) continue
    order.push(key)
    sink(['set', pointer + key, compactJson(entry.value)])
  }
  const actualOrder = [...present.keys()]
  if (actualOrder.some((key, index) => key !== order[index])) sink(['order', pointer, actualOrder])
  for (const [key, entry] of present) {
    const at = { ...cursor, pointer: pointer + key, depth: cursor.depth + 1 }
    const written = stringDeviation(toWellFormed(entry.key.value), entry.key, cursor.style)
    if (written.length > 0) sink(['escape-key', at.pointer, written])
    compare(expected.get(key)?.value ?? bare(entry.value), entry.value, at)
  }
  compareSpace(actual, cursor)
}

/** Returns an object's members by pointer segment, which distinguishes repeated keys. */
function keyed(node: JsonObject): Map<JsonPointer, JsonObject['members'][number]> {
  const repetitions = new Map<string, number>()
  const members = new Map<JsonPointer, JsonObject['members'][number]>()
  for (const entry of node.members) {
    const repetition = repetitions.get(entry.key.value) ?? 0
    repetitions.set(entry.key.value, repetition + 1)
    members.set(appendKey('', entry.key.value, repetition), entry)
  }
  return members
}

const slotOf = (node: JsonNode): number | undefined => (node.kind === 'object' ? node.slot : undefined)

/** Arrays of spans' objects are aligned by slot, other arrays only if they have the same length. */
const alignable = (canonical: JsonArray, actual: JsonArray): boolean =>
  canonical.items.length === actual.items.length || canonical.items.every((item) => slotOf(item) !== undefined)

function compareArrays(canonical: JsonArray, actual: JsonArray, cursor: Cursor): void {
  let next = 0
  const pairs: [JsonNode, JsonNode, number][] = []
  for (const [index, item] of actual.items.entries()) {
    const candidate = canonical.items[next]
    const slot = candidate && slotOf(candidate)
    if (candidate && (slot === undefined || slot === index)) {
      next++
      pairs.push([candidate, item, index])
    } else {
      cursor.sink(['insert', appendIndex(cursor.pointer, index), compactJson(item)])
      pairs.push([bare(item), item, index])
    }
  }
  for (const [expected, item, index] of pairs) {
    compare(expected, item, { ...cursor, pointer: appendIndex(cursor.pointer, index), depth: cursor.depth + 1 })
  }
  compareSpace(actual, cursor)
}

function compareSpace(actual: JsonObject | JsonArray, { style, depth, pointer, sink }: Cursor): void {
  const expected = expectedSpace(style, actual, depth)
  const deviating = actual.space?.flatMap((space = '', index) =>
    space === expected[index] ? [] : [[index, space] as const],
  )
  if (deviating && deviating.length > 0) sink(['space', pointer, deviating])
}
