import type { JsonStyle } from './style.js'

/** The white space that a style puts into a container of that many entries; see `space` on the nodes. */
export function expectedSpace(style: JsonStyle, kind: 'object' | 'array', entries: number, depth: number): string[] {
  if (style.framing && depth === 0 && kind === 'array') return repeated(['', style.newline ?? '\n'], entries)
  if (style.framing === 'sse' && depth === 1 && kind === 'object') {
    return repeated(['', '', ' ', style.newline ?? '\n'], entries)
  }
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

const repeated = (space: readonly string[], times: number): string[] =>
  Array.from({ length: times }, () => space).flat()
