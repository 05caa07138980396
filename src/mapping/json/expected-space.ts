import type { JsonArray, JsonObject } from './node.js'
import type { JsonStyle } from './style.js'

/** Returns the white space of a container in a style. See `space` of the nodes. */
export function expectedSpace(style: JsonStyle, node: JsonObject | JsonArray, depth: number): string[] {
  const { kind } = node
  const entries = kind === 'object' ? node.members.length : node.items.length
  if (style.framing && depth === 0 && kind === 'array') return repeated(['', style.newline ?? '\n'], entries)
  if (style.framing === 'sse' && depth === 1 && kind === 'object') {
    return repeated(['', '', ' ', style.newline ?? '\n'], entries)
  }
  if (entries === 0) return ['']
  if (style.flatNumbers && isNumbers(node)) return repeated([' ', ''], entries).with(0, '')
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

const repeated = (space: readonly string[], times: number): string[] =>
  Array.from({ length: times }, () => space).flat()

/** Whether a container is a list of finite numbers. */
export const isNumbers = (node: JsonObject | JsonArray): boolean =>
  node.kind === 'array' && node.items.every((item) => item.kind === 'number' && /\d$/.test(item.text))
