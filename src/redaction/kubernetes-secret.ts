import type { Range } from './named-secret.js'

const DATA = /^([ \t]*)(?:string)?data:[ \t]*\r?\n/gim
const ENTRY = /[ \t]*(?:#[^\n]*|[\w.-]+:[ \t]*(?:[|>][+-]?[ \t]*)?)?/y
const LINE = /[^\r\n]*\r?\n?/y

/** Finds the values of the data of a Kubernetes secret in YAML. */
export function kubernetesData(text: string): readonly Range[] {
  const found: Range[] = []
  for (const { 0: head, 1: indent = '', index } of text.matchAll(DATA)) {
    let at = index + head.length
    while (at < text.length) {
      LINE.lastIndex = at
      const line = LINE.exec(text)?.[0] ?? ''
      if (line.trim() !== '' && !(line.startsWith(indent) && /[ \t]/.test(line[indent.length] ?? ''))) break
      ENTRY.lastIndex = at
      const from = at + (ENTRY.exec(text)?.[0].length ?? 0)
      const value = text.slice(from, at + line.length).trimEnd()
      if (/^["']?[^\s{<$["'][^{<$\s]{5,}$/.test(value)) found.push([from, from + value.length])
      if (line === '') break
      at += line.length
    }
  }
  return found
}
