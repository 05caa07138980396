import { ATTR, type Message } from '../../semconv/index.js'
import { type AdoptNode, nearestBelow } from './adopt-node.js'
import { INPUT, OUTPUT } from './fact-places.js'
import { isResumed } from './mastra.js'
import { modelMessages } from './model-messages.js'
import { agentNameOf, factOfNode } from './node-facts.js'
import { isWrapped, lastText, saidIn } from './spoken-text.js'

/**
 * A text of a plan or an agent, and where it was read. A text that a program wrote, not a person, counts only if the
 * messages of the model calls contain no other.
 */
interface Said {
  readonly own: string | undefined
  readonly inMessages: string | undefined
  readonly raw: string | undefined
}

const chosen = (...all: readonly (Said | undefined)[]): string | undefined =>
  all.find((said) => said?.own !== undefined && !isWrapped(said.own))?.own ??
  all.find((said) => said?.inMessages !== undefined)?.inMessages ??
  all.find((said) => said?.own !== undefined)?.own ??
  all.find((said) => said?.raw !== undefined)?.raw

/** Returns the request of an agent: its own input, otherwise the user's last message in its first model call. */
export const agentRequest = (agent: AdoptNode): string | undefined => chosen(requestIn(agent))

/**
 * Returns the answer of an agent or a plan: its output, otherwise the text of the agent’s last model call. The output
 * of a run that waits for a person is no answer.
 */
export const ownAnswer = (node: AdoptNode): string | undefined => (isWaiting(node) ? undefined : chosen(answerIn(node)))

const isWaiting = ({ attributes }: AdoptNode): boolean => attributes[ATTR.state] === 'waiting'

/**
 * Returns the request of a plan: its own, otherwise that of its first agent. The input of a resumed run is the answer
 * that it waited for, not a request.
 */
export function planRequest(plan: AdoptNode): string | undefined {
  if (isResumed(plan)) return undefined
  const [first] = agentsOf(plan)
  return chosen(requestIn(plan), first && requestIn(first))
}

/** Returns the answer of a plan: its own, otherwise that of its last agent. */
export function planAnswer(plan: AdoptNode): string | undefined {
  if (isWaiting(plan)) return undefined
  const last = agentsOf(plan).at(-1)
  return chosen(answerIn(plan), last && answerIn(last))
}

const agentsOf = (plan: AdoptNode): AdoptNode[] =>
  nearestBelow(plan, ['planning']).filter(({ kind }) => kind === 'agent')

function requestIn(node: AdoptNode): Said {
  const input = factOfNode(node, INPUT)
  const said = saidIn(input, 'user')
  const first = messagesOf(node, 'input')[0]
  return {
    own: said === agentNameOf(node) ? undefined : said,
    inMessages: first && lastText(first, 'user'),
    raw: rawOf(input),
  }
}

function answerIn(node: AdoptNode): Said {
  const output = factOfNode(node, OUTPUT)
  const last = messagesOf(node, 'output').at(-1)
  return {
    own: saidIn(output, 'assistant'),
    inMessages: last && lastText(last, 'assistant'),
    raw: rawOf(output),
  }
}

/** Returns the messages of an agent's own model calls that recorded them. */
function messagesOf(node: AdoptNode, side: 'input' | 'output'): (readonly Message[])[] {
  if (node.kind !== 'agent') return []
  const models = nearestBelow(node, ['think_act']).filter(({ kind }) => kind === 'llm')
  return models.flatMap((model) => {
    const all = [model, ...model.twins].map(({ span }) => modelMessages(span)[side])
    const messages = all.find((each) => each !== undefined)
    return messages ? [messages] : []
  })
}

/** A value that is not empty and not a list of messages without a text. */
const rawOf = (value: string | undefined): string | undefined =>
  value === undefined || NO_TEXT.test(value) ? undefined : value

const NO_TEXT = /^\s*(?:\[\s*\]|\{\s*\}|null|None)?\s*$|"?(?:role|messages|kwargs)"?\s*[:=]/
