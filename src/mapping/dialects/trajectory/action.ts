import { jsonString, type JsonNode, tryParseJson, bare, compactJson } from '../../json/index.js'

/** An action as text: code unchanged, an object as JSON. */
export interface ActionText {
  readonly text: string
  /** Whether the text is not JSON although it looks like it. */
  readonly isText: boolean
}

/** Reads an action: a string, or an object. */
export function readAction(node: JsonNode | undefined): ActionText | undefined {
  if (node?.kind === 'string') return { text: node.value, isText: containerOf(node.value) !== undefined }
  return node?.kind === 'object' || node?.kind === 'array' ? { text: compactJson(node), isText: false } : undefined
}

/** Writes an action as it was read. */
export function writeAction(text: string | undefined, isText = false): JsonNode | undefined {
  if (text === undefined) return undefined
  const container = isText ? undefined : containerOf(text)
  return container ? bare(container) : jsonString(text)
}

function containerOf(text: string): JsonNode | undefined {
  return /^\s*[{[]/.test(text) ? tryParseJson(text) : undefined
}
