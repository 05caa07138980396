import {
  ATTR,
  type Data,
  EVENTS,
  instructionsOf,
  isData,
  isList,
  type Message,
  messagesOf,
  type Speaker,
  type StoredSpan,
} from '../../../semconv/index.js'
import type { AdoptNode } from '../adopt-node.js'
import { dataIn, textOf } from './json-data.js'
import { factOf } from './fact-place.js'
import { MODEL_INPUT, MODEL_OUTPUT, TEXT_OF_CALLS } from './fact-places.js'
import { contentIn, plainMessages, toolCallPart } from './plain-messages.js'
import { pythonIn } from './python-data.js'

/** The input and output of a model call in the format of the GenAI conventions. Undefined if a span has none. */
export interface ModelMessages {
  readonly input: readonly Message[] | undefined
  readonly output: readonly Message[] | undefined
  readonly system: readonly unknown[] | undefined
}

const KNOWN = new WeakMap<StoredSpan, ModelMessages>()

/** Returns the messages of a model call from the attributes or events of its convention. Each span is read once. */
export function modelMessages(span: StoredSpan): ModelMessages {
  let messages = KNOWN.get(span)
  if (!messages) KNOWN.set(span, (messages = readMessages(span)))
  return messages
}

/** Returns the messages of a model call that its span, or one that represents the same call, contains. */
export function messagesOfNode({ span, twins }: AdoptNode, side: 'input' | 'output'): readonly Message[] | undefined {
  for (const each of [span, ...twins.map((twin) => twin.span)]) {
    const messages = modelMessages(each)[side]
    if (messages) return messages
  }
  return undefined
}

function readMessages(span: StoredSpan): ModelMessages {
  const events = eventAttributes(span)
  const system = factOf(span, [ATTR.systemInstructions]) ?? events[ATTR.systemInstructions]
  return {
    input:
      listed(span, 'llm.input_messages', 'user') ??
      listed(span, 'gen_ai.prompt', 'user') ??
      read(factOf(span, MODEL_INPUT) ?? events[ATTR.inputMessages], 'user') ??
      spoken(span, (role) => role !== undefined) ??
      logfireEvents(span, false),
    output:
      listedAnswer(span) ??
      listed(span, 'gen_ai.completion', 'assistant') ??
      vercelAnswer(span) ??
      readAnswer(span) ??
      read(events[ATTR.outputMessages], 'assistant') ??
      spoken(span, (role) => role === undefined) ??
      logfireEvents(span, true),
    system: system === undefined ? undefined : instructionsOf(dataIn(system) ?? system),
  }
}

/** Some instrumentations write the requested calls only beside an answer in the conventions' format. */
function readAnswer(span: StoredSpan): readonly Message[] | undefined {
  const answer = read(factOf(span, MODEL_OUTPUT), 'assistant')
  if (!answer?.every(({ parts }) => isList(parts) && parts.length === 0)) return answer
  return read(factOf(span, OTHER_OUTPUTS), 'assistant') ?? answer
}

const OTHER_OUTPUTS = MODEL_OUTPUT.filter((place) => place !== ATTR.outputMessages)

/** The messages of a model call that were cut off, in words: they begin as JSON and do not end as such. */
export const cutMessages = (span: StoredSpan): string[] =>
  [MODEL_INPUT, MODEL_OUTPUT].flatMap((places) => {
    const text = factOf(span, places)?.trim() ?? ''
    const end = text.startsWith('[{') ? ']' : text.startsWith('{"') ? '}' : ''
    return text.endsWith(end) ? [] : [`the messages after ${text.length} characters`]
  })

/** Parses messages in the format of any provider or serializer. Any other text is one message. */
export function read(text: string | undefined, speaker: Speaker): readonly Message[] | undefined {
  if (text === undefined) return undefined
  const data = dataIn(text) ?? pythonIn(text)
  if (data === undefined) return [{ role: speaker, parts: [{ type: 'text', content: text }] }]
  return messagesOf(plainMessages(data), speaker)
}

/**
 * Reads messages that are spread over attributes: `PREFIX.N.message.…` in OpenInference, `PREFIX.N.…` in older GenAI
 * conventions.
 */
function listed({ attributes }: StoredSpan, prefix: string, speaker: Speaker): readonly Message[] | undefined {
  const items: Record<string, unknown>[] = []
  for (const key in attributes) {
    const path = key.startsWith(`${prefix}.`) ? key.slice(prefix.length + 1).split('.') : []
    const index = Number(path[0])
    if (path.length > 1 && Number.isSafeInteger(index) && index >= 0 && index < MAX_MESSAGES) {
      put((items[index] ??= bare()), path.slice(1), attributes[key])
    }
  }
  const messages = Object.values(items).map((item) =>
    flatMessage(isData(item['message']) ? item['message'] : item, speaker),
  )
  return messages.length > 0 ? messagesOf(messages, speaker) : undefined
}

/** Reads a listed answer. The ids of its calls, or the text beside them, may be only in the serialized answer. */
function listedAnswer(span: StoredSpan): readonly Message[] | undefined {
  const answer = listed(span, 'llm.output_messages', 'assistant')
  const calls = answer?.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool_call')) ?? []
  if (!answer || calls.length === 0) return answer
  if (calls.some(({ id }) => id === undefined)) return read(factOf(span, MODEL_OUTPUT), 'assistant') ?? answer
  const hasText = answer.some(({ parts }) => parts.some(({ type, content }) => type === 'text' && content !== ''))
  const text = hasText ? undefined : factOf(span, TEXT_OF_CALLS)
  if (text === undefined) return answer
  return answer.map((message, at) =>
    at > 0 ? message : { ...message, parts: [{ type: 'text', content: text }, ...message.parts] },
  )
}

/** More messages than any call has. Limits the list that a hostile index could create. */
const MAX_MESSAGES = 100_000

/** An object without a prototype: an attribute may be named `__proto__`. */
const bare = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = target
  for (const key of path.slice(0, -1)) {
    const next = at[key]
    at = isData(next) ? (next as Record<string, unknown>) : ((at[key] = bare()) as Record<string, unknown>)
  }
  const last = path.at(-1)
  if (last !== undefined) at[last] = value
}

function flatMessage(message: Data, speaker: Speaker): Data {
  const { role, content, contents, tool_calls, tool_call_id } = message
  const parts = inOrder(contents).map((one) => {
    const part = isData(one['message_content']) ? one['message_content'] : one
    return { type: 'text', text: textOf(part['text']) ?? '' }
  })
  const calls = inOrder(tool_calls).map((one) => {
    const call = isData(one['tool_call']) ? one['tool_call'] : one
    return {
      id: call['id'],
      function: isData(call['function']) ? call['function'] : { name: call['name'], arguments: call['arguments'] },
    }
  })
  return {
    role: textOf(role) ?? speaker,
    content: parts.length > 0 ? parts : (contentIn(textOf(content)) ?? (calls.length > 0 ? [] : '')),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
  }
}

/** The values of an object with the keys 0, 1, …. */
const inOrder = (value: unknown): Data[] => (isData(value) ? Object.values(value).filter(isData) : [])

/** The AI SDK writes the text and the calls of an answer in separate attributes. */
function vercelAnswer({ attributes }: StoredSpan): readonly Message[] | undefined {
  const text = attributes['ai.response.text']
  const calls = dataIn(attributes['ai.response.toolCalls'])
  if (text === undefined && calls === undefined) return undefined
  const content = [...(text ? [{ type: 'text', text }] : []), ...(isList(calls) ? calls.map(toolCallPart) : [])]
  return messagesOf([{ role: 'assistant', content }], 'assistant')
}

/** The attributes of the GenAI conventions' event for content. Strands sends one event per attribute. */
const eventAttributes = ({ events }: StoredSpan): Readonly<Record<string, string>> =>
  Object.assign(
    {},
    ...events.filter(({ name }) => name === EVENTS.inferenceDetails).map(({ attributes }) => attributes),
  ) as Record<string, string>

const SPOKEN = /^gen_ai\.(system|user|assistant|tool)\.message$/

/** Reads older events, one per message. A choice has no role. */
function spoken(
  { events }: StoredSpan,
  isWanted: (role: string | undefined) => boolean,
): readonly Message[] | undefined {
  const messages = events.flatMap(({ name, attributes }) => {
    const role = name === 'gen_ai.choice' ? undefined : (SPOKEN.exec(name)?.[1] ?? null)
    if (role === null || !isWanted(role)) return []
    const content = attributes['content'] ?? attributes['message']
    if (content === undefined) return []
    const data = contentIn(content)
    return [isData(data) && 'role' in data ? data : { role: role ?? 'assistant', content: plainParts(data) ?? content }]
  })
  return messages.length > 0 ? messagesOf(messages, 'user') : undefined
}

/** Converts Strands' content: a list of `{text}`, `{toolUse}` and `{toolResult}`. */
function plainParts(data: unknown): unknown {
  if (!isList(data)) return isData(data) ? (data['content'] ?? data) : undefined
  return data.flatMap((part: unknown) => {
    if (!isData(part)) return [part]
    const { toolUse, toolResult } = part
    if (isData(toolUse))
      return [{ type: 'tool_use', id: toolUse['toolUseId'], name: toolUse['name'], input: toolUse['input'] }]
    if (isData(toolResult)) {
      return [{ type: 'tool_result', tool_use_id: toolResult['toolUseId'], content: textOf(toolResult['content']) }]
    }
    return [part]
  })
}

/** Reads Logfire's attribute `events`: a list of `{event.name, role, content, tool_calls}`. A choice is the answer. */
function logfireEvents({ attributes }: StoredSpan, isAnswer: boolean): readonly Message[] | undefined {
  const list = dataIn(attributes['events'])
  if (!isList(list)) return undefined
  const messages = list.filter(isData).flatMap((event) => {
    const isChoice = event['event.name'] === 'gen_ai.choice'
    if (isChoice !== isAnswer) return []
    const message = isChoice && isData(event['message']) ? event['message'] : event
    return [{ role: 'assistant', ...message }]
  })
  return messages.length > 0 ? messagesOf(messages, isAnswer ? 'assistant' : 'user') : undefined
}
