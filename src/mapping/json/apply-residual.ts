import type { JsonNode } from './node.js'
import { tryParseJson } from './parse.js'
import { appendKey, nodeAt, placeAt, type JsonPointer } from './pointer.js'
import type { Deviation } from './residual.js'
import { deviatingRaw, type StringDeviation } from './string-writing.js'
import type { JsonStyle } from './style.js'
import { bare } from './write.js'

/**
 * Applies the deviations of one span to its object (for the root, to the whole document), in place. Deviations that do
 * not fit, because a span or an attribute is missing, are skipped.
 */
export function applyDeviations(object: JsonNode, deviations: readonly Deviation[], style: JsonStyle): void {
  for (const deviation of deviations) apply(object, deviation, style)
}

function apply(object: JsonNode, deviation: Deviation, style: JsonStyle): void {
  const [kind, pointer] = deviation
  if (kind === 'unset') remove(object, pointer)
  else if (kind === 'set') put(object, pointer, deviation[2])
  else if (kind === 'insert') insert(object, pointer, deviation[2])
  else if (kind === 'order') reorder(nodeAt(object, pointer), deviation[2])
  else if (kind === 'number') renumber(nodeAt(object, pointer), deviation[2])
  else if (kind === 'escape') rewrite(nodeAt(object, pointer), deviation[2], style)
  else if (kind === 'escape-key') rewriteKey(object, pointer, deviation[2], style)
  else respace(nodeAt(object, pointer), deviation[2])
}

function remove(object: JsonNode, pointer: JsonPointer): void {
  const place = placeAt(object, pointer)
  if (place?.node.kind === 'object' && place.index >= 0) place.node.members.splice(place.index, 1)
}

function put(object: JsonNode, pointer: JsonPointer, text: string): void {
  const place = placeAt(object, pointer)
  const parsed = tryParseJson(text)
  if (!place || !parsed) return
  const value = bare(parsed)
  if (place.node.kind === 'array') {
    if (place.index < place.node.items.length) place.node.items[place.index] = value
    return
  }
  const member = place.node.members[place.index]
  if (member) member.value = value
  else if ('key' in place) place.node.members.push({ key: { kind: 'string', value: place.key }, value })
}

function insert(object: JsonNode, pointer: JsonPointer, text: string): void {
  const place = placeAt(object, pointer)
  const value = tryParseJson(text)
  if (place?.node.kind === 'array' && value && place.index <= place.node.items.length) {
    place.node.items.splice(place.index, 0, bare(value))
  }
}

function reorder(node: JsonNode | undefined, order: readonly JsonPointer[]): void {
  if (node?.kind !== 'object') return
  const rank = new Map(order.map((key, index) => [key, index]))
  const repetitions = new Map<string, number>()
  const ranked = node.members.map((entry) => {
    const repetition = repetitions.get(entry.key.value) ?? 0
    repetitions.set(entry.key.value, repetition + 1)
    return { entry, at: rank.get(appendKey('', entry.key.value, repetition)) ?? order.length }
  })
  ranked.sort((a, b) => a.at - b.at)
  for (const [index, { entry }] of ranked.entries()) node.members[index] = entry
}

function renumber(node: JsonNode | undefined, text: string): void {
  if (node?.kind === 'number' && Number(node.text) === Number(text)) node.text = text
}

function rewrite(node: JsonNode | undefined, deviation: StringDeviation, style: JsonStyle): void {
  if (node?.kind === 'string') node.raw = deviatingRaw(node.value, deviation, style)
}

function rewriteKey(object: JsonNode, pointer: JsonPointer, deviation: StringDeviation, style: JsonStyle): void {
  const place = placeAt(object, pointer)
  const key = place?.node.kind === 'object' ? place.node.members[place.index]?.key : undefined
  if (key) key.raw = deviatingRaw(key.value, deviation, style)
}

function respace(node: JsonNode | undefined, deviating: readonly (readonly [number, string])[]): void {
  if (node?.kind !== 'object' && node?.kind !== 'array') return
  const space: (string | undefined)[] = []
  for (const [index, text] of deviating) space[index] = text
  node.space = space
}
