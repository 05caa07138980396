import { type Data, isData, isList, textIn } from '../../../semconv/index.js'
import { dataIn } from './json-data.js'
import { CLASS } from './python-data.js'

/** Converts the messages of frameworks to chat messages, without the wrappers around them. */
export function plainMessages(value: unknown): unknown {
  if (isList(value)) {
    const [first] = value
    if (value.length === 1 && isList(first)) return plainMessages(first)
    return value.flatMap((item) => itemsWithin(item) ?? [plainMessage(item)])
  }
  if (!isData(value)) return value
  const { messages, generations, contents, replies } = value
  if (isList(messages)) return plainMessages(messages)
  if (isList(replies)) return plainMessages(replies)
  if (isList(generations))
    return generations.flat().map((one) => plainMessage(isData(one) ? (one['message'] ?? one) : one))
  if (isList(contents) && !('role' in value)) return contents
  // An answer of Genkit, and one of Gemini in ADK.
  for (const inner of [value['message'], value['content']])
    if (isData(inner) && typeof inner['role'] === 'string') return plainMessage(inner)
  const { text } = value
  if (typeof text === 'string' && isList(value['toolCalls'])) {
    return { role: 'assistant', content: [{ type: 'text', text }, ...value['toolCalls'].map(toolCallPart)] }
  }
  return plainMessage(value)
}

/** Returns the list of messages that a message contains as JSON text. */
function itemsWithin(value: unknown): readonly unknown[] | undefined {
  const content = isData(value) ? value['content'] : undefined
  const items = typeof content === 'string' ? dataIn(content) : undefined
  return isList(items) && items.length > 0 && items.every((item) => isData(item) && 'role' in item) ? items : undefined
}

/**
 * Returns what a message contains as JSON text: its parts, or its calls. An answer may be JSON, too, and is a text.
 */
export function contentIn(text: string | undefined): unknown {
  const data = dataIn(text)
  const items = isList(data) ? data : [data]
  return items.length > 0 && items.every((item) => isData(item) && PART_KEYS.some((key) => key in item)) ? data : text
}

const PART_KEYS = [
  'type',
  'text',
  'role',
  'content',
  'parts',
  'tool_calls',
  'function',
  'arguments',
  'toolUse',
  'toolResult',
  'kwargs',
]

/** The AI SDK lists the calls of an answer without a type. */
export const toolCallPart = (call: unknown): unknown => (isData(call) ? { ...call, type: 'tool-call' } : call)

/** The role of a message by the type or the class that a framework gives it. */
const ROLES: ReadonlyMap<unknown, string> = new Map([
  ['human', 'user'],
  ['HumanMessage', 'user'],
  ['UserMessage', 'user'],
  ['ai', 'assistant'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['AssistantMessage', 'assistant'],
  ['system', 'system'],
  ['SystemMessage', 'system'],
  ['tool', 'tool'],
  ['ToolMessage', 'tool'],
  ['FunctionExecutionResultMessage', 'tool'],
])

/** Converts a message of a framework to a chat message. Returns anything else unchanged. */
function plainMessage(value: unknown): unknown {
  if (!isData(value) || (isList(value['parts']) && typeof value['role'] === 'string')) return value
  const { lc, kwargs, data, type, id, [CLASS]: name, source } = value
  if (lc !== undefined && isData(kwargs)) return langchain(kwargs, textIn(kwargs, 'type') ?? lastOf(id))
  if (isData(data) && typeof type === 'string' && ROLES.has(type)) return langchain(data, type)
  const kind = [type, name].find((one) => ROLES.has(one))
  if (kind !== undefined && 'content' in value && !('role' in value)) return langchain(value, String(kind))
  // AutoGen names who wrote a message.
  if (typeof source === 'string' && 'content' in value && !('role' in value))
    return { role: source === 'user' ? 'user' : 'assistant', content: plainContent(value['content']) }
  const role = value['role'] ?? value['_role']
  const parts = value['_content'] ?? value['blocks'] ?? value['contents'] ?? value['content']
  const extra = value['additional_kwargs']
  if (typeof role !== 'string') return value
  if (isData(extra) && !isList(value['tool_calls']) && isList(extra['tool_calls']))
    return { role, content: plainContent(parts), tool_calls: extra['tool_calls'] }
  return isList(parts) ? { ...value, role, content: plainContent(parts) } : value
}

const lastOf = (id: unknown): string => (isList(id) ? String(id.at(-1)) : '')

function langchain({ content, tool_calls, tool_call_id, additional_kwargs, name, status }: Data, type: string): Data {
  const calls =
    isList(tool_calls) && tool_calls.length > 0
      ? tool_calls
      : isData(additional_kwargs)
        ? additional_kwargs['tool_calls']
        : []
  return {
    role: ROLES.get(type) ?? 'user',
    content: plainContent(content),
    ...(isList(calls) && calls.length > 0 && { tool_calls: calls }),
    ...(tool_call_id !== undefined && { tool_call_id, ...(name !== undefined && name !== null && { name }) }),
    ...(status === 'error' && { is_error: true }),
  }
}

const plainContent = (content: unknown): unknown => (isList(content) ? content.map(plainPart) : content)

/** Converts a part of a message that states its content by its keys, and its type in no or in another word. */
function plainPart(part: unknown): unknown {
  if (!isData(part)) return part
  const { tool_call: call, tool_call_result: result, text, type, block_type: block } = part
  if (isData(call) && type === undefined) return callPart(call)
  if (isData(result) && type === undefined) return resultPart(result)
  if (isCall(part)) return callPart(part)
  if (isData(part['origin']) || (part[CLASS] !== undefined && 'call_id' in part)) return resultPart(part)
  return typeof text === 'string' && (type === undefined || block !== undefined) ? { type: 'text', text } : part
}

const isCall = ({ type, [CLASS]: name, block_type: block }: Data): boolean =>
  name === 'ToolCall' || name === 'FunctionCall' || (type === undefined && block === 'tool_call')

const callPart = ({ id, call_id, tool_call_id, name, tool_name, tool_kwargs, arguments: args }: Data): Data => ({
  type: 'tool-call',
  id: id ?? call_id ?? tool_call_id,
  name: name ?? tool_name,
  arguments: args ?? tool_kwargs,
})

function resultPart({ result, content, call_id, origin, error, is_error }: Data): Data {
  const id = isData(origin) ? origin['id'] : call_id
  return {
    type: 'tool_call_response',
    ...(id !== undefined && id !== null && { id }),
    response: result ?? content,
    ...((error === true || is_error === true) && { is_error: true }),
  }
}
