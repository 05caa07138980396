import { isNumbers } from './expected-space.js'
import { itemsOf, member, type JsonArray, type JsonDocument, type JsonNode, type JsonObject } from './node.js'
import type { Framing, JsonStyle } from './style.js'

/**
 * Returns the style that leaves the fewest deviations for a parsed document, from the first evidence of each trait.
 * Traits without evidence follow the canonical style.
 */
export function detectStyle({ root, head, tail }: JsonDocument, bom: boolean, canonical: JsonStyle = {}): JsonStyle {
  const { framing } = canonical
  const values = valuesOf(root, framing)
  const first = values[0]
  const isContainer = first?.kind === 'object' || first?.kind === 'array'
  const line = /^(\r?\n)([ \t]+)$/.exec((isContainer && !framing ? first.space?.[0] : undefined) ?? '')
  const newline = framing ? /\r?\n/.exec(root.kind === 'array' ? (root.space?.[1] ?? '') : '')?.[0] : line?.[1]
  return {
    ...(framing ? { framing } : {}),
    ...only('indent', line?.[2]),
    ...only('newline', newline === '\n' ? undefined : newline),
    ...only('colon', firstOf(values, colonOf) ?? canonical.colon),
    ...(line ? {} : only('comma', firstOf(values, commaOf) ?? canonical.comma)),
    ...(line && flatNumbers(values, canonical) ? { flatNumbers: true } : {}),
    ...escapes(values, canonical),
    ...(bom ? { bom } : {}),
    ...only('head', head),
    ...only('tail', tail),
  }
}

const only = (key: string, value: string | undefined): object => (value ? { [key]: value } : {})

/** Returns the JSON values of a document, without their framing. */
function valuesOf(root: JsonNode, framing: Framing | undefined): readonly JsonNode[] {
  if (!framing) return [root]
  if (framing === 'lines') return itemsOf(root)
  return itemsOf(root).flatMap((frame) => member(frame, 'data') ?? [])
}

function* containers(node: JsonNode): Generator<JsonObject | JsonArray> {
  if (node.kind === 'object') {
    yield node
    for (const { value } of node.members) yield* containers(value)
  } else if (node.kind === 'array') {
    yield node
    for (const item of node.items) yield* containers(item)
  }
}

type Trait = (node: JsonObject | JsonArray) => string | undefined

const colonOf: Trait = (node) => (node.kind === 'object' ? node.space?.[2] : undefined)
const commaOf: Trait = (node) => node.space?.[node.kind === 'object' ? 4 : 2]

/** Returns the trait of the first container that shows it. */
function firstOf(values: readonly JsonNode[], trait: Trait): string | undefined {
  for (const value of values) {
    for (const node of containers(value)) {
      const found = trait(node)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Whether the first list of numbers of an indented document is on one line. */
function flatNumbers(values: readonly JsonNode[], canonical: JsonStyle): boolean {
  const shown = firstOf(values, (node) =>
    node.kind === 'array' && node.items.length > 0 && isNumbers(node) ? node.space?.[0] : undefined,
  )
  return shown === undefined ? canonical.flatNumbers === true : shown === ''
}

/** Returns the style of the first escapes in the document's strings. */
function escapes(values: readonly JsonNode[], canonical: JsonStyle): JsonStyle {
  let ascii: boolean | undefined
  let upper: boolean | undefined
  for (const raw of values.flatMap((value) => [...rawStrings(value)])) {
    if (ascii === undefined) {
      if (/[^\0-\x7F]/.test(raw)) ascii = false
      else if (/\\u(?!00[01])[0-9a-fA-F]{4}/.test(raw)) ascii = true
    }
    const letters = upper === undefined ? /\\u(?=\d{0,3}[a-fA-F])([0-9a-fA-F]{4})/.exec(raw)?.[1] : undefined
    if (letters) upper = letters === letters.toUpperCase()
    if (ascii !== undefined && upper !== undefined) break
  }
  const style = { ascii: ascii ?? canonical.ascii, upper: upper ?? canonical.upper }
  return { ...(style.ascii ? { ascii: true } : {}), ...(style.upper ? { upper: true } : {}) }
}

function* rawStrings(node: JsonNode): Generator<string> {
  if (node.kind === 'string') yield node.raw ?? ''
  else if (node.kind === 'array') for (const item of node.items) yield* rawStrings(item)
  else if (node.kind === 'object') {
    for (const { key, value } of node.members) {
      yield key.raw ?? ''
      yield* rawStrings(value)
    }
  }
}
