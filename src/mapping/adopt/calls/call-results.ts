import type { Message, Part } from '../../../semconv/index.js'
import type { AskedCall } from './asked-calls.js'
import type { AdoptNode } from '../adopt-node.js'
import { INPUT, OUTPUT } from '../values/fact-places.js'
import { textOf } from '../values/json-data.js'
import { messagesOfNode, read } from '../values/model-messages.js'
import { factOfNode } from '../values/node-facts.js'
import { saysError, toolResult } from '../values/tool-values.js'

/** The result of a tool call in the messages of a model or an agent. */
export interface CallResult {
  readonly text: string
  readonly isError: boolean
}

/**
 * The results of tool calls in the messages of a trace: in the input of the next model call, in the answer itself for
 * a tool that the provider ran, and in the messages of an agent.
 */
export class CallResults {
  readonly #models: readonly AdoptNode[]
  readonly #agents: readonly AdoptNode[]
  #byId: Map<string, Part> | undefined

  constructor(nodes: readonly AdoptNode[]) {
    this.#models = nodes.filter(({ kind }) => kind === 'llm')
    this.#agents = nodes.filter(({ kind, own }) => (kind === 'agent' || kind === 'plan') && own === undefined)
  }

  /**
   * Returns the result of a call, which is the call at a position among those of its answer. The next model call of its
   * agent decides before other messages, because some models repeat the ids of calls.
   */
  of({ id, name }: AskedCall, position: number, next: AdoptNode | undefined): CallResult | undefined {
    const added = next ? lastResponses(messagesOfNode(next, 'input') ?? []) : []
    const nameless = added.filter((part) => part['id'] === undefined)
    const part =
      id === undefined
        ? (nameless.find((part) => part['name'] === name) ?? nameless[position])
        : (added.find((part) => part['id'] === id) ?? this.#withId(id) ?? nameless[position])
    return part && resultIn(part)
  }

  #withId(id: string): Part | undefined {
    if (!this.#byId) {
      this.#byId = new Map()
      const lists = [
        ...this.#models.flatMap((model) => [
          messagesOfNode(model, 'output') ?? [],
          messagesOfNode(model, 'input') ?? [],
        ]),
        ...this.#agents.flatMap((agent) =>
          [OUTPUT, INPUT].map((places) => read(factOfNode(agent, places), 'user') ?? []),
        ),
      ]
      for (const part of lists.flatMap(responsesIn)) {
        const { id } = part
        if (typeof id === 'string' && !this.#byId.has(id)) this.#byId.set(id, part)
      }
    }
    return this.#byId.get(id)
  }
}

/** Returns the responses after the last message that requests tool calls. */
function lastResponses(messages: readonly Message[]): Part[] {
  const asking = messages.findLastIndex(({ parts }) => parts.some(({ type }) => type === 'tool_call'))
  return responsesIn(messages.slice(asking + 1))
}

/** Returns the results of tool calls in messages. */
export const responsesIn = (messages: readonly Message[]): Part[] =>
  messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool_call_response'))

function resultIn(part: Part): CallResult | undefined {
  const { response, result = response, content = result, is_error: isError } = part
  const text = textOf(content)
  return text === undefined
    ? undefined
    : { text: toolResult(text) ?? text, isError: isError === true || saysError(content) || EXCEPTION.test(text) }
}

/** The text with which frameworks answer for a tool that raised, or that they could not call. */
const EXCEPTION = /^["\s]*(?:\w+\.)*\w*(?:Error|Exception): /
