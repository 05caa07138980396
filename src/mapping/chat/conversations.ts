import { append } from '../../base/append.js'
import { isTrue, itemsOf, member, stringOf, type JsonNode, toValue, tryParseJson } from '../json/index.js'
import { answer, argumentsOf, partsOf, textOf, type ChatCall, type ChatLine, type ChatMessage } from './message.js'

/** Returns the conversations of a trajectory and those in it: one for each agent, and one for the plannings. */
export function conversationsOf(trajectory: JsonNode): ChatLine[] {
  const lines: ChatLine[] = []
  const pending = [trajectory]
  for (let next = pending.shift(); next; next = pending.shift()) {
    const tools = itemsOf(member(member(next, 'agent'), 'tool_definitions')).map(toValue)
    for (const messages of threadsOf(itemsOf(member(next, 'steps')))) {
      if (messages.length > 0) lines.push({ messages, ...(tools.length > 0 && { tools }) })
    }
    append(pending, itemsOf(member(next, 'subagent_trajectories')))
  }
  return lines
}

/** Returns planspan's extension of a step: its agent, and the instructions of its model. */
const extensionOf = (step: JsonNode): JsonNode | undefined => member(member(step, 'extra'), 'planspan')

/**
 * Returns the messages of each agent in a trajectory's steps. A request that belongs to no other agent begins each
 * thread.
 */
function threadsOf(steps: readonly JsonNode[]): (readonly ChatMessage[])[] {
  const threads = new Map<string, ChatMessage[]>()
  const opening: ChatMessage[] = []
  for (const step of steps) {
    const agent = member(extensionOf(step), 'agent')
    const isNamed = member(extensionOf(step), 'role') !== undefined
    const name = agent?.kind === 'number' ? agent.text : ''
    if (threads.size === 0 && !isNamed && stringOf(member(step, 'source')) !== 'agent') {
      append(opening, messagesOf(step))
      continue
    }
    const isRequest = stringOf(member(extensionOf(step), 'role')) === 'request'
    let thread = threads.get(name)
    // An agent with a request of its own has not seen the request of the plan.
    if (!thread) threads.set(name, (thread = [...instructions(step), ...(isRequest ? [] : opening)]))
    append(thread, isRequest ? [{ role: 'user', content: textOf(member(step, 'message')) }] : messagesOf(step))
  }
  return [...threads.values()].map(upToAnswer)
}

/** Returns the instructions that the model had besides the messages. */
function instructions(step: JsonNode): ChatMessage[] {
  const system = stringOf(member(member(extensionOf(step), 'modelCall'), 'system'))
  const content = itemsOf(system === undefined ? undefined : tryParseJson(system))
    .flatMap((part) => stringOf(member(part, 'content')) ?? [])
    .join('\n')
  return content === '' ? [] : [{ role: 'system', content }]
}

/** Cuts messages after the last answer, because the rest trains nothing. */
const upToAnswer = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1)

function messagesOf(step: JsonNode): ChatMessage[] {
  const source = stringOf(member(step, 'source'))
  const message = member(step, 'message')
  if (source === 'system') return [{ role: 'system', content: textOf(message) }]
  if (source !== 'agent') return [{ role: 'user', content: partsOf(message) }]
  const calls = itemsOf(member(step, 'tool_calls')).map(callOf)
  const said = answer(textOf(message), calls, isTrue(member(step, 'is_copied_context')))
  return [...(said ? [said] : []), ...resultsOf(step, calls)]
}

const callOf = (call: JsonNode): ChatCall => ({
  id: stringOf(member(call, 'tool_call_id')) ?? '',
  type: 'function',
  function: { name: stringOf(member(call, 'function_name')) ?? '', arguments: argumentsOf(member(call, 'arguments')) },
})

/**
 * Returns a result for each call. A result without a call id belongs to the first call without a result, otherwise it
 * is a message to the model.
 */
function resultsOf(step: JsonNode, calls: readonly ChatCall[]): ChatMessage[] {
  const results = itemsOf(member(member(step, 'observation'), 'results'))
  const idOf = (result: JsonNode): string | undefined => stringOf(member(result, 'source_call_id'))
  const known = new Map(results.flatMap((result) => [[idOf(result), textOf(member(result, 'content'))] as const]))
  const unnamed = results
    .filter((result) => !calls.some(({ id }) => id === idOf(result)))
    .map((result) => textOf(member(result, 'content')))
    .filter((content) => content !== '')
  const ofCalls = calls.map(({ id }): ChatMessage => {
    const content = known.has(id) ? (known.get(id) ?? '') : (unnamed.shift() ?? '')
    return { role: 'tool', tool_call_id: id, content }
  })
  return [...ofCalls, ...unnamed.map((content): ChatMessage => ({ role: 'user', content }))]
}
