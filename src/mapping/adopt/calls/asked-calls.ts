import { isData, isList } from '../../../semconv/index.js'
import { FINISH_REASON } from '../values/fact-places.js'
import { factOfNode } from '../values/node-facts.js'
import { textOf } from '../values/json-data.js'
import { modelMessages } from '../values/model-messages.js'
import type { AdoptNode } from '../adopt-node.js'

/** A tool call that a model requested. */
export interface AskedCall {
  readonly id: string | undefined
  readonly name: string | undefined
  readonly arguments: string | undefined
  /** The span whose output messages contain the request. */
  readonly model: AdoptNode
  /** The place of the request in these messages. */
  readonly path: string
}

/** Returns the tool calls in a model's answer. */
export type CallsOf = (llm: AdoptNode) => readonly AskedCall[]

/** Whether a model stopped because it requests tool calls. */
export const requestsCalls = (llm: AdoptNode): boolean => FOR_CALLS.test(factOfNode(llm, FINISH_REASON) ?? '')

const FOR_CALLS = /\b(?:tool|function)[-_ ]?(?:calls?|use)\b/i

/** Returns a function that reads each model's answer once. */
export function rememberCalls(): CallsOf {
  const known = new Map<AdoptNode, readonly AskedCall[]>()
  return (llm) => {
    let calls = known.get(llm)
    if (!calls) known.set(llm, (calls = askedCalls(llm)))
    return calls
  }
}

function askedCalls(model: AdoptNode): readonly AskedCall[] {
  for (const { span } of [model, ...model.twins]) {
    const calls = (modelMessages(span).output ?? []).flatMap(({ parts }, at) =>
      (isList(parts) ? parts : []).flatMap((part: unknown, place): AskedCall[] => {
        if (!isData(part) || part['type'] !== 'tool_call') return []
        const { id, name, arguments: args } = part
        return [
          {
            id: textIfText(id),
            name: textIfText(name),
            arguments: textOf(args),
            model,
            path: `output message ${at}, part ${place}`,
          },
        ]
      }),
    )
    if (calls.length > 0) return calls
  }
  return []
}

const textIfText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
