import type { TreeSpan } from '../../mapping/index.js'
import { ATTR, type Role } from '../../semconv/index.js'

const MAX_CHARACTERS = 80

type Attributes = TreeSpan['attributes']

/** The texts that describe a span of each role. The first one that is present is its label. */
const LABELS: Readonly<Record<Role, (attributes: Attributes) => readonly (string | undefined)[]>> = {
  plan: (of) => [of[ATTR.planTitle], textIn(of[ATTR.inputMessages]), of[ATTR.agentName]],
  planning: (of) => [textIn(of[ATTR.inputMessages])],
  agent: (of) => [of[ATTR.stepDescription], textIn(of[ATTR.inputMessages])],
  think_act: (of) => [of[ATTR.actDescription]],
  llm: (of) => [textIn(of[ATTR.outputMessages]), of[ATTR.requestModel], of[ATTR.responseModel]],
  guardrail: (of) => [of[ATTR.riskExplanation]],
  tool: (of) => [firstValue(of[ATTR.toolCallArguments])],
  wait: (of) => [of[ATTR.waitTitle], of[ATTR.waitReason]],
}

/** Returns a short description of a span; '' without any. */
export function spanLabel({ attributes }: Pick<TreeSpan, 'attributes'>, role: Role | undefined): string {
  const label = role && LABELS[role](attributes).find((text) => text !== undefined && text.trim() !== '')
  if (label === undefined) return ''
  const line = inOneLine(label.slice(0, MAX_CHARACTERS * 4))
  // A character is one or two units long.
  if (line.length <= MAX_CHARACTERS) return line
  const characters = Array.from(line.slice(0, MAX_CHARACTERS * 2 + 1))
  return characters.length <= MAX_CHARACTERS ? line : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}

/** Most texts are already on one line; checking is faster than replacing. */
const inOneLine = (text: string): string => (/[^\S ]| {2}/.test(text) ? text.replaceAll(/\s+/g, ' ') : text).trim()

/** A string in JSON, whose end may be missing. */
const STRING = /"((?:[^"\\]|\\.)*)/.source
const CONTENT = new RegExp(`"content"\\s*:\\s*${STRING}`)
const VALUE = new RegExp(`:\\s*${STRING}`)

/** The first text of chat messages. */
const textIn = (messages: string | undefined): string | undefined => unescaped(CONTENT.exec(messages ?? '')?.[1])

/** Returns the first argument of a call that is a text, or else the whole JSON. */
const firstValue = (json: string | undefined): string | undefined => unescaped(VALUE.exec(json ?? '')?.[1]) ?? json

function unescaped(text: string | undefined): string | undefined {
  if (text === undefined || !text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
