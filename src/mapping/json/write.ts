import { expectedSpace } from './expected-space.js'
import type { JsonMember, JsonNode } from './node.js'
import type { JsonStyle } from './style.js'

/** Writes a document: a node's own writing where it has one, the style elsewhere. */
export function writeJsonDocument(root: JsonNode, style: JsonStyle): string {
  const out: string[] = [style.bom ? '\uFEFF' : '', style.head ?? '']
  write(root, style, 0, out)
  out.push(style.tail ?? '')
  return out.join('')
}

/** One node as compact JSON; lone surrogates are escaped, so that the text survives UTF-8. */
export function compactJson(node: JsonNode): string {
  const out: string[] = []
  write(bare(node), {}, 0, out)
  return out.join('')
}

function write(node: JsonNode, style: JsonStyle, depth: number, out: string[]): void {
  if (node.kind === 'string') out.push(`"${node.raw ?? escapeString(node.value, style)}"`)
  else if (node.kind === 'number') out.push(node.text)
  else if (node.kind === 'literal') out.push(String(node.value))
  else {
    const entries = node.kind === 'object' ? node.members.length : node.items.length
    const expected = expectedSpace(style, node.kind, entries, depth)
    const space = node.space ? expected.map((text, index) => node.space?.[index] ?? text) : expected
    const marks = marksOf(node, style, depth)
    out.push(marks.open)
    if (entries === 0) out.push(space[0] ?? '')
    if (node.kind === 'object') writeMembers(node.members, { space, marks, style, depth, out })
    else writeItems(node.items, { space, marks, style, depth, out })
    out.push(marks.close)
  }
}

/** The brackets of a container, and the text between its entries. */
interface Marks {
  readonly open: string
  readonly between: string
  readonly close: string
  /** Keys and texts stand bare, as in a server-sent event. */
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

interface Container {
  readonly space: readonly string[]
  readonly marks: Marks
  readonly style: JsonStyle
  readonly depth: number
  readonly out: string[]
}

function writeMembers(members: readonly JsonMember[], { space, marks, style, depth, out }: Container): void {
  const quote = marks.bare ? '' : '"'
  for (const [index, { key, value }] of members.entries()) {
    const at = index * 4
    const name = key.raw ?? (marks.bare ? key.value : escapeString(key.value, style))
    // One long text is joined faster than eight short ones.
    out.push(
      `${index > 0 ? marks.between : ''}${space[at] ?? ''}${quote}${name}${quote}${space[at + 1] ?? ''}:${space[at + 2] ?? ''}`,
    )
    if (marks.bare && key.value !== 'data' && value.kind === 'string') out.push(value.value)
    else write(value, style, depth + 1, out)
    const after = space[at + 3]
    if (after) out.push(after)
  }
}

function writeItems(items: readonly JsonNode[], { space, marks, style, depth, out }: Container): void {
  for (const [index, item] of items.entries()) {
    if (index > 0) out.push(marks.between)
    out.push(space[index * 2] ?? '')
    write(item, style, depth + 1, out)
    out.push(space[index * 2 + 1] ?? '')
  }
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

// Lone surrogates have no UTF-8 form; they are escaped whatever the style.
const NEEDS_ESCAPE = /["\\\u0000-\u001F]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const NEEDS_ESCAPE_ASCII = /["\\\u0000-\u001F]|[^\u0000-\u007F]/g

/** The writing of a string in a style, without the quotes. */
export function escapeString(value: string, style: JsonStyle): string {
  if (!style.upper && !(style.ascii && /[^\u0000-\u007F]/.test(value))) return JSON.stringify(value).slice(1, -1)
  return value.replace(style.ascii ? NEEDS_ESCAPE_ASCII : NEEDS_ESCAPE, (character) => escapeUnit(character, style))
}

/** The writing of one UTF-16 code unit in a style. */
function escapeUnit(character: string, style: JsonStyle): string {
  const short = SHORT[character]
  if (short) return short
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${style.upper ? hex.toUpperCase() : hex}`
}

/** A copy that has forgotten its own writing. */
export function bare(node: JsonNode): JsonNode {
  if (node.kind === 'string') return { kind: 'string', value: node.value }
  if (node.kind === 'array') return { kind: 'array', items: node.items.map(bare) }
  if (node.kind === 'object') {
    return {
      kind: 'object',
      members: node.members.map(({ key, value }) => ({
        key: { kind: 'string', value: key.value },
        value: bare(value),
      })),
    }
  }
  return { ...node }
}
