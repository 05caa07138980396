import { jsonString, type JsonNode, tryParseJson, bare, compactJson } from '../../json/index.js'

/** The content of a message: a text, or parts as JSON text. */
export interface Content {
  readonly text?: string | undefined
  readonly parts?: string | undefined
}

/** Reads a text or a list of parts. */
export function readContent(node: JsonNode | undefined): Content {
  if (node?.kind === 'string') return { text: node.value }
  return node?.kind === 'array' ? { parts: compactJson(node) } : {}
}

/** Writes content as it was read. Undefined without content. */
export function writeContent({ text, parts }: Content): JsonNode | undefined {
  const node = parts === undefined ? undefined : tryParseJson(parts)
  if (node) return bare(node)
  return text === undefined ? undefined : jsonString(text)
}
