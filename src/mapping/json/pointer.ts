import type { JsonArray, JsonNode, JsonObject } from './node.js'

/**
 * A place in a document as in RFC 6901, with one addition: `~2N` at the end of a key is its N-th repetition in an
 * object with repeated keys.
 */
export type JsonPointer = string

export const appendKey = (pointer: JsonPointer, key: string, repetition: number): JsonPointer =>
  `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${repetition > 0 ? `~2${repetition}` : ''}`

export const appendIndex = (pointer: JsonPointer, index: number): JsonPointer => `${pointer}/${index}`

interface Step {
  readonly key: string
  readonly repetition: number
}

const steps = (pointer: JsonPointer): Step[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const [, text = '', repetition = '0'] = /^(.*?)(?:~2(\d+))?$/s.exec(segment) ?? []
      return { key: text.replaceAll('~1', '/').replaceAll('~0', '~'), repetition: Number(repetition) }
    })

/** The container of a place and the position in it. The position is -1 if an object lacks the key. */
export type Place =
  | { readonly node: JsonObject; readonly index: number; readonly key: string }
  | { readonly node: JsonArray; readonly index: number }

/** Follows a pointer. Undefined if the document has no such container, and for the empty pointer. */
export function placeAt(root: JsonNode, pointer: JsonPointer): Place | undefined {
  const path = steps(pointer)
  const last = path.pop()
  const container = path.reduce<JsonNode | undefined>((node, step) => node && childOf(node, step), root)
  if (!last || !container) return undefined
  if (container.kind === 'array') return { node: container, index: Number(last.key) }
  if (container.kind === 'object') return { node: container, index: memberIndex(container, last), key: last.key }
  return undefined
}

/** Returns the node at a pointer. */
export function nodeAt(root: JsonNode, pointer: JsonPointer): JsonNode | undefined {
  return steps(pointer).reduce<JsonNode | undefined>((node, step) => node && childOf(node, step), root)
}

function childOf(node: JsonNode, step: Step): JsonNode | undefined {
  if (node.kind === 'array') return node.items[Number(step.key)]
  if (node.kind === 'object') return node.members[memberIndex(node, step)]?.value
  return undefined
}

function memberIndex(node: JsonObject, { key, repetition }: Step): number {
  let seen = 0
  return node.members.findIndex((entry) => entry.key.value === key && seen++ === repetition)
}
