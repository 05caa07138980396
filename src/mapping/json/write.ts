import type { JsonNode, JsonString } from './node.js'
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

/** The white space that the style puts into a container of that many entries; see `space` on the nodes. */
export function expectedSpace(style: JsonStyle, kind: 'object' | 'array', entries: number, depth: number): string[] {
  if (entries === 0) return ['']
  const line = style.indent === undefined ? undefined : (style.newline ?? '\n') + style.indent.repeat(depth)
  const space: string[] = []
  for (let index = 0; index < entries; index++) {
    const before = line === undefined ? (index === 0 ? '' : (style.comma ?? '')) : line + style.indent
    const after = line !== undefined && index === entries - 1 ? line : ''
    if (kind === 'object') space.push(before, '', style.colon ?? '', after)
    else space.push(before, after)
  }
  return space
}

function write(node: JsonNode, style: JsonStyle, depth: number, out: string[]): void {
  if (node.kind === 'string') out.push('"', node.raw ?? escapeString(node.value, style), '"')
  else if (node.kind === 'number') out.push(node.text)
  else if (node.kind === 'literal') out.push(String(node.value))
  else {
    const entries = node.kind === 'object' ? node.members.length : node.items.length
    const expected = expectedSpace(style, node.kind, entries, depth)
    const space = node.space?.length === expected.length ? node.space : expected
    if (node.kind === 'object') writeMembers(node.members, space, style, depth, out)
    else writeItems(node.items, space, style, depth, out)
  }
}

function writeMembers(
  members: readonly { key: JsonString; value: JsonNode }[],
  space: readonly string[],
  style: JsonStyle,
  depth: number,
  out: string[],
): void {
  out.push('{')
  if (members.length === 0) out.push(space[0] ?? '')
  for (const [index, { key, value }] of members.entries()) {
    if (index > 0) out.push(',')
    const at = index * 4
    out.push(space[at] ?? '', '"', key.raw ?? escapeString(key.value, style), '"')
    out.push(space[at + 1] ?? '', ':', space[at + 2] ?? '')
    write(value, style, depth + 1, out)
    out.push(space[at + 3] ?? '')
  }
  out.push('}')
}

function writeItems(
  items: readonly JsonNode[],
  space: readonly string[],
  style: JsonStyle,
  depth: number,
  out: string[],
) {
  out.push('[')
  if (items.length === 0) out.push(space[0] ?? '')
  for (const [index, item] of items.entries()) {
    if (index > 0) out.push(',')
    out.push(space[index * 2] ?? '')
    write(item, style, depth + 1, out)
    out.push(space[index * 2 + 1] ?? '')
  }
  out.push(']')
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
