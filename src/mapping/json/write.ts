import { expectedSpace } from './expected-space.js'
import type { JsonArray, JsonNode, JsonObject, JsonString } from './node.js'
import type { JsonStyle } from './style.js'

/** Writes a document. Nodes that keep how they were written are written so, others in the style. */
export function writeJsonDocument(root: JsonNode, style: JsonStyle): string {
  const out: string[] = [style.bom ? '\uFEFF' : '', style.head ?? '']
  write(root, style, out)
  out.push(style.tail ?? '')
  return out.join('')
}

/** Writes one node as compact JSON. Lone surrogates are escaped, so that the text survives UTF-8. */
export function compactJson(node: JsonNode): string {
  const out: string[] = []
  write(bare(node), {}, out)
  return out.join('')
}

/** Open containers are kept in a list instead of recursion, because plans can nest deeper than the stack. */
function write(root: JsonNode, style: JsonStyle, out: string[]): void {
  const open: Container[] = []
  const begin = (node: JsonNode): void => {
    if (node.kind === 'string') out.push(`"${node.raw ?? escapeString(node.value, style)}"`)
    else if (node.kind === 'number') out.push(node.text)
    else if (node.kind === 'literal') out.push(String(node.value))
    else open.push(beginContainer(node, style, open.length, out))
  }
  begin(root)
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { node, marks } = inner
    if (inner.next > 0) out.push(spaceBehind(inner))
    const member = node.kind === 'object' ? node.members[inner.next] : undefined
    const value = node.kind === 'object' ? member?.value : node.items[inner.next]
    if (!value) {
      out.push(marks.close)
      open.pop()
      continue
    }
    out.push(member ? keyText(member.key, inner, style) : spaceBefore(inner))
    inner.next++
    if (member && marks.bare && member.key.value !== 'data' && value.kind === 'string') out.push(value.value)
    else begin(value)
  }
}

/** A container that is being written. */
interface Container {
  readonly node: JsonObject | JsonArray
  readonly space: readonly string[]
  readonly marks: Marks
  /** The index of the next entry. */
  next: number
}

function beginContainer(node: JsonObject | JsonArray, style: JsonStyle, depth: number, out: string[]): Container {
  const entries = node.kind === 'object' ? node.members.length : node.items.length
  const expected = expectedSpace(style, node, depth)
  const space = node.space ? expected.map((text, index) => node.space?.[index] ?? text) : expected
  const marks = marksOf(node, style, depth)
  out.push(marks.open)
  if (entries === 0) out.push(space[0] ?? '')
  return { node, space, marks, next: 0 }
}

/** The brackets of a container, and the text between its entries. */
interface Marks {
  readonly open: string
  readonly between: string
  readonly close: string
  /** Whether keys and texts are written without quotes, as in a server-sent event. */
  readonly bare: boolean
}

const NO_MARKS: Marks = { open: '', between: '', close: '', bare: false }

function marksOf(node: JsonNode, { framing }: JsonStyle, depth: number): Marks {
  if (framing && depth === 0 && node.kind === 'array') return NO_MARKS
  if (framing === 'sse' && depth === 1 && node.kind === 'object') return { ...NO_MARKS, bare: true }
  return node.kind === 'object'
    ? { open: '{', between: ',', close: '}', bare: false }
    : { open: '[', between: ',', close: ']', bare: false }
}

/** Returns the white space before the next entry of an array. */
const spaceBefore = ({ space, marks, next }: Container): string =>
  `${next > 0 ? marks.between : ''}${space[next * 2] ?? ''}`

/** Returns the white space after the last written entry. */
const spaceBehind = ({ node, space, next }: Container): string =>
  space[next * (node.kind === 'object' ? 4 : 2) - 1] ?? ''

/** Returns everything before a member's value. Joining one long text is faster than joining eight short ones. */
function keyText(key: JsonString, { space, marks, next }: Container, style: JsonStyle): string {
  const at = next * 4
  const quote = marks.bare ? '' : '"'
  const name = key.raw ?? (marks.bare ? key.value : escapeString(key.value, style))
  return `${next > 0 ? marks.between : ''}${space[at] ?? ''}${quote}${name}${quote}${space[at + 1] ?? ''}:${space[at + 2] ?? ''}`
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

// Lone surrogates have no UTF-8 form, so every style escapes them.
const NEEDS_ESCAPE = /["\\\u0000-\u001F]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const NEEDS_ESCAPE_ASCII = /["\\\u0000-\u001F]|[^\u0000-\u007F]/g

/** Writes a string in a style, without the quotes. */
export function escapeString(value: string, style: JsonStyle): string {
  const json = JSON.stringify(value)
  const isEscaped = json.length > value.length + 2
  if (!(style.upper && isEscaped) && !(style.ascii && /[^\u0000-\u007F]/.test(value))) return json.slice(1, -1)
  return value.replace(style.ascii ? NEEDS_ESCAPE_ASCII : NEEDS_ESCAPE, (character) => escapeUnit(character, style))
}

/** Writes one UTF-16 code unit in a style. */
function escapeUnit(character: string, style: JsonStyle): string {
  const short = SHORT[character]
  if (short) return short
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${style.upper ? hex.toUpperCase() : hex}`
}

/** Returns a copy that does not keep how it was written. */
export function bare(root: JsonNode): JsonNode {
  const unfilled: [from: JsonObject | JsonArray, to: JsonObject | JsonArray][] = []
  const copyOf = (node: JsonNode): JsonNode => {
    if (node.kind === 'string') return { kind: 'string', value: node.value }
    if (node.kind !== 'array' && node.kind !== 'object') return { ...node }
    const copy: JsonObject | JsonArray =
      node.kind === 'array' ? { kind: 'array', items: [] } : { kind: 'object', members: [] }
    unfilled.push([node, copy])
    return copy
  }
  const copy = copyOf(root)
  for (let next = unfilled.pop(); next; next = unfilled.pop()) {
    const [from, to] = next
    if (from.kind === 'array' && to.kind === 'array') for (const item of from.items) to.items.push(copyOf(item))
    else if (from.kind === 'object' && to.kind === 'object') {
      for (const { key, value } of from.members) {
        to.members.push({ key: { kind: 'string', value: key.value }, value: copyOf(value) })
      }
    }
  }
  return copy
}
