import { isData, isList } from '../../semconv/index.js'
import { textOf } from './json-data.js'
import { modelMessages } from './model-messages.js'
import type { AdoptNode } from './adopt-node.js'

/** A tool call that a model requested. */
export interface AskedCall {
  readonly id: string | undefined
  readonly name: string | undefined
  readonly arguments: string | undefined
}

/** Returns the tool calls in a model's answer. */
export type CallsOf = (llm: AdoptNode) => readonly AskedCall[]

/** Returns a function that reads each model's answer once. */
export function rememberCalls(): CallsOf {
  const known = new Map<AdoptNode, readonly AskedCall[]>()
  return (llm) => {
    let calls = known.get(llm)
    if (!calls) known.set(llm, (calls = askedCalls(llm)))
    return calls
  }
}

function askedCalls(llm: AdoptNode): readonly AskedCall[] {
  for (const { span } of [llm, ...llm.twins]) {
    const parts = (modelMessages(span).output ?? []).flatMap((message) => (isList(message.parts) ? message.parts : []))
    const calls = parts.filter((part) => isData(part) && part.type === 'tool_call')
    if (calls.length === 0) continue
    return calls.map((call) => ({
      id: textIfText(call['id']),
      name: textIfText(call['name']),
      arguments: textOf(call['arguments']),
    }))
  }
  return []
}

const textIfText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
