import { appendTo } from '../../base/append.js'
import type { AdoptNode } from './adopt-node.js'
import { agentRequest, ownAnswer, planAnswer, planRequest } from './values/request-and-answer.js'
import { saidIn } from './values/spoken-text.js'
import { toolArguments, toolResult } from './values/tool-values.js'

/** A request or an answer, as a key. A call and the agent or plan that it called share one of their keys. */
type WorkText = string

const keysOf = (request: string | undefined, answer: string | undefined): WorkText[] => [
  ...(request === undefined ? [] : [`request ${request}`]),
  ...(answer === undefined ? [] : [`answer ${answer}`]),
]

/** Returns the request and the answer of an agent or a plan. */
export const textsOfWork = (node: AdoptNode): WorkText[] =>
  node.kind === 'plan'
    ? keysOf(planRequest(node)?.text, planAnswer(node)?.text)
    : keysOf(agentRequest(node)?.text, ownAnswer(node)?.text)

/** Returns the request and the answer of the work that a call asked for. */
export const textsOfCall = (call: {
  readonly arguments: string | undefined
  readonly result: string | undefined
}): WorkText[] => keysOf(saidIn(toolArguments(call.arguments), 'user'), toolResult(call.result))

/** Nodes by their texts, in the order in which they were added. */
export class NodesByText {
  readonly #nodes = new Map<WorkText, AdoptNode[]>()

  add(node: AdoptNode, texts: readonly WorkText[]): void {
    for (const text of texts) appendTo(this.#nodes, text, node)
  }

  /** Returns the nodes with each of the texts. */
  of(texts: readonly WorkText[]): AdoptNode[][] {
    return texts.map((text) => this.#nodes.get(text) ?? [])
  }
}
