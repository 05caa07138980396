import { ATTR, type Message } from '../../../semconv/index.js'
import { type AdoptNode, nearestBelow } from '../adopt-node.js'
import { INPUT, OUTPUT } from './fact-places.js'
import { isResumed } from '../mastra.js'
import { messagesOfNode } from './model-messages.js'
import { agentNameOf, factOfNode } from './node-facts.js'
import { isWrapped, lastText, saidIn } from './spoken-text.js'

/** A request or an answer, and where it was read. */
export interface Spoken {
  readonly text: string
  /** The plan or agent whose value or model calls contain it. */
  readonly node: AdoptNode
  readonly isInMessages: boolean
}

/** The texts that a plan or an agent has for a request or an answer. */
interface Said {
  readonly node: AdoptNode
  /** The text in its own value. */
  readonly own: string | undefined
  /** The text in the messages of its model calls. */
  readonly inMessages: string | undefined
  /** Its own value, of an unknown shape. */
  readonly raw: string | undefined
}

/** Ways to choose a text, best first. A text that a program wrote counts only if no messages have another. */
const CHOICES: readonly (readonly [key: 'own' | 'inMessages' | 'raw', isGood: (text: string) => boolean])[] = [
  ['own', (text) => !isWrapped(text)],
  ['inMessages', () => true],
  ['own', () => true],
  ['raw', () => true],
]

function chosen(...all: readonly (Said | undefined)[]): Spoken | undefined {
  for (const [key, isGood] of CHOICES) {
    for (const said of all) {
      const text = said?.[key]
      if (said && text !== undefined && isGood(text))
        return { text, node: said.node, isInMessages: key === 'inMessages' }
    }
  }
  return undefined
}

/** Returns the request of an agent: its own input, otherwise the user's last message in its first model call. */
export const agentRequest = (agent: AdoptNode): Spoken | undefined => chosen(requestIn(agent))

/**
 * Returns the answer of an agent or a plan: its output, otherwise the text of the agent’s last model call. The output
 * of a run that waits for a person is no answer.
 */
export const ownAnswer = (node: AdoptNode): Spoken | undefined => (isWaiting(node) ? undefined : chosen(answerIn(node)))

/** Returns the answer that a plan or an agent records itself. */
export function recordedAnswer(node: AdoptNode): string | undefined {
  const output = factOfNode(node, OUTPUT)
  return saidIn(output, 'assistant') ?? rawOf(output)
}

const isWaiting = ({ attributes }: AdoptNode): boolean => attributes[ATTR.state] === 'waiting'

/**
 * Returns the request of a plan: its own, otherwise that of its first agent. The input of a resumed run is the answer
 * that it waited for, not a request.
 */
export function planRequest(plan: AdoptNode): Spoken | undefined {
  if (isResumed(plan)) return undefined
  const [first] = agentsOf(plan)
  return chosen(requestIn(plan), first && requestIn(first))
}

/** Returns the answer of a plan: its own, otherwise that of its last agent. */
export function planAnswer(plan: AdoptNode): Spoken | undefined {
  if (isWaiting(plan)) return undefined
  const last = agentsOf(plan).at(-1)
  return chosen(answerIn(plan), last && answerIn(last))
}

const agentsOf = (plan: AdoptNode): AdoptNode[] =>
  nearestBelow(plan, ['planning']).filter(({ kind }) => kind === 'agent')

function requestIn(node: AdoptNode): Said {
  const input = factOfNode(node, INPUT)
  const said = saidIn(input, 'user')
  const first = firstInput(modelsOf(node))
  return {
    node,
    own: said === agentNameOf(node) ? undefined : said,
    inMessages: first && withoutPrompt(lastText(first, 'user')),
    raw: rawOf(input),
  }
}

/** The prompts in which smolagents and CrewAI put a request: the texts before and after it. */
const PROMPTS = [
  ['New task:\n', ''],
  ['Current Task: ', '\nThis is the expected criteria for'],
] as const

function withoutPrompt(text: string | undefined): string | undefined {
  const begun = text?.trimStart() ?? ''
  for (const [before, after] of PROMPTS) {
    const end = begun.startsWith(before) ? (after === '' ? begun.length : begun.indexOf(after)) : -1
    if (end < 0) continue
    const request = begun.slice(before.length, end)
    return after === '' ? request : request.trimEnd()
  }
  return text
}

function answerIn(node: AdoptNode): Said {
  const output = factOfNode(node, OUTPUT)
  const model = modelsOf(node).at(-1)
  const last = model && messagesOfNode(model, 'output')
  return {
    node,
    own: saidIn(output, 'assistant'),
    inMessages: last && lastText(last, 'assistant'),
    raw: rawOf(output),
  }
}

/** Returns the agent's own model calls. */
const modelsOf = (node: AdoptNode): AdoptNode[] =>
  node.kind === 'agent' ? nearestBelow(node, ['think_act']).filter(({ kind }) => kind === 'llm') : []

/** Returns the first input that a model call recorded: those that fail record none. */
function firstInput(models: readonly AdoptNode[]): readonly Message[] | undefined {
  for (const model of models) {
    const messages = messagesOfNode(model, 'input')
    if (messages) return messages
  }
  return undefined
}

/** A value that is not empty and not a list of messages without a text. */
const rawOf = (value: string | undefined): string | undefined =>
  value === undefined || NO_TEXT.test(value) ? undefined : value

const NO_TEXT = /^\s*(?:\[\s*\]|\{\s*\}|null|None)?\s*$|"?(?:role|messages|kwargs)"?\s*[:=]/
