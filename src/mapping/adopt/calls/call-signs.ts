import { isData, isList } from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'
import { factOf } from '../values/fact-place.js'
import {
  MODEL,
  RESPONSE_ID,
  RESPONSE_MODEL,
  TOOL_ARGUMENTS,
  TOOL_CALL_ID,
  TOOL_NAME,
  TOOL_RESULT,
} from '../values/fact-places.js'
import { textOf } from '../values/json-data.js'
import { modelMessages } from '../values/model-messages.js'
import { callTokensOf } from '../values/span-tokens.js'

/** What identifies a call beside other calls of one agent. */
export interface CallSigns {
  readonly id: string | undefined
  /** What was answered. Empty if the record does not contain it. */
  readonly answer: readonly string[]
  /** The number of tokens, which two calls may share. */
  readonly tokens: string | undefined
}

export const signsOf = (call: AdoptNode): CallSigns =>
  call.kind === 'llm'
    ? { id: factOf(call.span, RESPONSE_ID), answer: answerOf(call), tokens: tokenSign(call) }
    : { id: factOf(call.span, TOOL_CALL_ID), answer: resultOf(call), tokens: undefined }

/** The ids of the requested calls, otherwise the text and the names of those calls. */
function answerOf({ span }: AdoptNode): string[] {
  const parts = (modelMessages(span).output ?? []).flatMap(({ parts }) => (isList(parts) ? parts : [])).filter(isData)
  const calls = parts.filter(({ type }) => type === 'tool_call')
  const ids = calls.flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []))
  if (ids.length > 0) return ids
  const texts = parts.filter(({ type }) => type === 'text').map(({ content }) => content)
  const said = [...texts, ...calls.map(({ name }) => name)].flatMap((text) => textOf(text) || [])
  return said.length === 0 ? [] : [said.join('\n')]
}

/** A tool call without a result may be another call of the same tool. */
function resultOf({ span }: AdoptNode): string[] {
  const result = factOf(span, TOOL_RESULT)
  return result === undefined ? [] : [JSON.stringify([factOf(span, TOOL_NAME), factOf(span, TOOL_ARGUMENTS), result])]
}

function tokenSign({ span }: AdoptNode): string | undefined {
  const { inputTokens = 0, outputTokens = 0 } = callTokensOf(span)
  return inputTokens > 0 && outputTokens > 0 ? `${String(inputTokens)} + ${String(outputTokens)} tokens` : undefined
}

/** Whether two calls may be to one model: a name may have a provider before it, or a version behind it. */
export function isSameModel(one: AdoptNode, other: AdoptNode): boolean {
  const names = modelsOf(one)
  const others = modelsOf(other)
  if (names.length === 0 || others.length === 0) return true
  return names.some((name) => others.some((each) => name.includes(each) || each.includes(name)))
}

const modelsOf = ({ span }: AdoptNode): string[] =>
  [factOf(span, MODEL), factOf(span, RESPONSE_MODEL)].filter((name) => name !== undefined)
