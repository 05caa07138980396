import { PlanspanError } from '../../error.js'
import {
  compactJson,
  type JsonArray,
  type JsonNode,
  type JsonObject,
  parseJsonDocument,
} from '../../mapping/json/index.js'

const MAX_SHOWN = 60

/**
 * Returns the differences between an imported record and the rebuilt one, one line each with the JSON path; if all
 * values are equal, the first difference in layout. Returns nothing for equal texts.
 */
export function* differences(expected: string, actual: string): Generator<string> {
  if (expected === actual) return
  const found = differentNodes(parse(expected), parse(actual), '$')
  const first = found.next()
  if (first.done) {
    yield layoutDifference(expected, actual)
    return
  }
  yield first.value
  yield* found
}

/** Parses JSON text; undefined for invalid JSON, which a rebuilt record may be. */
function parse(text: string): JsonNode | undefined {
  try {
    return parseJsonDocument(text, text.startsWith('\uFEFF') ? 1 : 0).root
  } catch (error) {
    if (error instanceof PlanspanError) return undefined
    throw error
  }
}

function* differentNodes(
  expected: JsonNode | undefined,
  actual: JsonNode | undefined,
  path: string,
): Generator<string> {
  if (expected?.kind === 'object' && actual?.kind === 'object') yield* differentMembers(expected, actual, path)
  else if (expected?.kind === 'array' && actual?.kind === 'array') yield* differentItems(expected, actual, path)
  else if (writing(expected) !== writing(actual)) yield `${path}: ${shown(expected)} came back as ${shown(actual)}`
}

function* differentMembers(expected: JsonObject, actual: JsonObject, path: string): Generator<string> {
  const expectedKeys = expected.members.map(({ key }) => key.value)
  const actualKeys = actual.members.map(({ key }) => key.value)
  const missing = expectedKeys.filter((key) => !actualKeys.includes(key))
  const added = actualKeys.filter((key) => !expectedKeys.includes(key))
  for (const key of missing) yield `${path}${property(key)}: did not come back`
  for (const key of added) yield `${path}${property(key)}: came back, but was not sent`
  if (missing.length + added.length === 0 && expectedKeys.join('\n') !== actualKeys.join('\n')) {
    yield `${path}: the keys came back in another order`
  }
  for (const [index, { key, value }] of expected.members.entries()) {
    const sameKey = actual.members.filter((member) => member.key.value === key.value)
    const repetition = expectedKeys.slice(0, index).filter((other) => other === key.value).length
    const counterpart = sameKey[repetition]
    if (!counterpart) continue
    if (counterpart.key.raw !== key.raw) yield `${path}${property(key.value)}: the key is escaped in another way`
    yield* differentNodes(value, counterpart.value, `${path}${property(key.value)}`)
  }
}

function* differentItems(expected: JsonArray, actual: JsonArray, path: string): Generator<string> {
  for (const [index, item] of expected.items.entries()) {
    yield* differentNodes(item, actual.items[index], `${path}[${String(index)}]`)
  }
  const added = actual.items.length - expected.items.length
  if (added > 0) yield `${path}: ${String(added)} more items came back than went in`
}

const property = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)

/** A scalar as it is written; for an object or array only its kind. */
function writing(node: JsonNode | undefined): string {
  if (node === undefined) return ''
  if (node.kind === 'string') return `"${node.raw ?? ''}"`
  if (node.kind === 'number') return node.text
  return node.kind === 'literal' ? String(node.value) : node.kind
}

function shown(node: JsonNode | undefined): string {
  if (node === undefined) return 'nothing'
  const text = node.kind === 'object' || node.kind === 'array' ? compactJson(node) : writing(node)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text
}

function layoutDifference(expected: string, actual: string): string {
  let at = 0
  while (at < expected.length && expected[at] === actual[at]) at++
  const lines = expected.slice(0, at).split('\n')
  const column = (lines.at(-1)?.length ?? 0) + 1
  const around = (text: string) => JSON.stringify(text.slice(at, at + 20))
  return `layout, line ${String(lines.length)}, column ${String(column)}: ${around(expected)} came back as ${around(actual)}`
}
