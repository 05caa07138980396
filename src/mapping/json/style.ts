import type { JsonArray, JsonDocument, JsonNode, JsonObject } from './node.js'

/** How a document is laid out and escaped. The default is compact JSON with every character that may stand raw left raw. */
export interface JsonStyle {
  /** One level of indentation; absent: all on one line. */
  readonly indent?: string
  /** @default '\n' */
  readonly newline?: string
  /** Between a key's colon and its value. @default '' */
  readonly colon?: string
  /** After a comma, when all stands on one line. @default '' */
  readonly comma?: string
  /** Characters beyond ASCII are escaped. @default false */
  readonly ascii?: boolean
  /** Escapes have upper-case hex digits. @default false */
  readonly upper?: boolean
  /** The document starts with a byte order mark. @default false */
  readonly bom?: boolean
  /** White space around the document. @default '' */
  readonly head?: string
  readonly tail?: string
}

/**
 * The style that leaves the fewest deviations for a parsed document, read off its outermost container. What the document
 * gives no evidence of is as in the canonical style.
 */
export function detectStyle({ root, head, tail }: JsonDocument, bom: boolean, canonical: JsonStyle = {}): JsonStyle {
  const first = root.kind === 'object' || root.kind === 'array' ? root.space?.[0] : undefined
  const line = /^(\r?\n)([ \t]+)$/.exec(first ?? '')
  return {
    ...(line ? { ...only('indent', line[2]), ...only('newline', line[1] === '\n' ? '' : line[1]) } : {}),
    ...only('colon', firstColon(root)),
    ...(line ? {} : only('comma', firstComma(root))),
    ...escapes(root, canonical),
    ...(bom ? { bom } : {}),
    ...only('head', head),
    ...only('tail', tail),
  }
}

const only = (key: string, value: string | undefined): object => (value ? { [key]: value } : {})

function* containers(node: JsonNode): Generator<JsonObject | JsonArray> {
  if (node.kind === 'object') {
    yield node
    for (const { value } of node.members) yield* containers(value)
  } else if (node.kind === 'array') {
    yield node
    for (const item of node.items) yield* containers(item)
  }
}

function firstColon(root: JsonNode): string | undefined {
  for (const node of containers(root)) if (node.kind === 'object' && node.members.length > 0) return node.space?.[2]
  return undefined
}

function firstComma(root: JsonNode): string | undefined {
  for (const node of containers(root)) {
    if (node.kind === 'object' && node.members.length > 1) return node.space?.[4]
    if (node.kind === 'array' && node.items.length > 1) return node.space?.[2]
  }
  return undefined
}

/** Which way of escaping the document's strings show first. */
function escapes(root: JsonNode, canonical: JsonStyle): JsonStyle {
  let ascii: boolean | undefined
  let upper: boolean | undefined
  for (const raw of rawStrings(root)) {
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
