import {
  isKnownPart,
  toolCall,
  toolResponse,
  toParts,
  isData,
  isList,
  textIn,
  type Part,
  type Data,
} from './message-parts.js'

/** The default speaker of a message. */
export type Speaker = 'user' | 'assistant'

/** Converts system instructions to the GenAI conventions: the parts of a text, a message or a list of either. */
export function instructionsOf(value: unknown): Part[] {
  const items = isList(value) ? value : [value]
  return items.flatMap((one) => (isMessage(one) || isContent(one) ? toMessage(one).parts : toParts(one)))
}

/** Gemini writes its instructions as a content without a role. */
const isContent = (value: unknown): value is Data => isData(value) && isList(value['parts'])

/** A message in the GenAI conventions. */
export interface Message extends Data {
  readonly role: string
  readonly parts: readonly Part[]
}

const PROVIDERS_ROLES: ReadonlyMap<string, string> = new Map([
  ['model', 'assistant'],
  ['function', 'tool'],
])
const ROLES: ReadonlySet<string> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  ...PROVIDERS_ROLES.keys(),
])

/**
 * Converts chat messages to the GenAI conventions, `[{role, parts: [{type, …}]}]`. Accepts messages of these
 * conventions, of OpenAI (Chat Completions and Responses), Anthropic, Gemini and the AI SDK: a list, a single message,
 * its content, or a provider's whole response. Undefined for anything else.
 */
export function messagesOf(value: unknown, speaker: Speaker): Message[] | undefined {
  if (isList(value)) return value.length > 0 && value.every(isMessageOrPart) ? joined(value, speaker) : undefined
  if (!isData(value)) return undefined
  const response = fromResponse(value)
  if (response) return response
  if (isMessage(value)) return ROLES.has(value.role) ? [toMessage(value)] : undefined
  return isKnownPart(value) ? joined([value], speaker) : undefined
}

/** Returns the messages of a provider's whole response. */
function fromResponse(response: Data): Message[] | undefined {
  const { choices, candidates, output, content, stop_reason, finishReason } = response
  if (isListOf(choices, 'message')) return choices.map((one) => ended(one['message'], one['finish_reason']))
  if (isListOf(candidates, 'content')) return candidates.map((one) => ended(one['content'], one['finishReason']))
  if (response['object'] === 'response') return messagesOf(output, 'assistant')
  if (response['role'] === 'assistant' && stop_reason !== undefined) return [ended({ content }, stop_reason)]
  if (typeof finishReason !== 'string') return undefined
  // The Agent Development Kit records a candidate of Gemini's response.
  if (isContent(content)) return [ended(content, finishReason)]
  return isList(content) ? [ended({ content }, finishReason)] : undefined
}

const isListOf = (list: unknown, key: string): list is readonly Data[] =>
  isList(list) && list.length > 0 && list.every((one) => isData(one) && isData(one[key]))

const ended = (message: unknown, reason: unknown): Message => ({
  ...toMessage({ role: 'assistant', ...(message as Data) }),
  ...(typeof reason === 'string' && { finish_reason: reason }),
})

const isMessageOrPart = (value: unknown): value is Data => isMessage(value) || isKnownPart(value)

const isMessage = (value: unknown): value is Data & { readonly role: string } =>
  isData(value) &&
  typeof value['role'] === 'string' &&
  ('content' in value || isList(value['parts']) || isList(value['tool_calls']) || isData(value['function_call']))

/** Joins messages and parts to messages. The Responses API lists the parts of one answer separately. */
function joined(items: readonly Data[], speaker: Speaker): Message[] {
  const messages: Message[] = []
  let isAnswer = false
  for (const item of items) {
    const isItem = item['type'] === 'message' || !isMessage(item)
    const message = isItem ? ofItem(item, speaker) : toMessage(item)
    const last = isAnswer && isItem && message.role !== 'tool' ? messages.at(-1) : undefined
    if (last?.role === message.role)
      messages[messages.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else messages.push(message)
    isAnswer = isItem
  }
  return messages
}

function ofItem(item: Data, speaker: Speaker): Message {
  const parts = toParts([item])
  const role = parts[0]?.type === 'tool_call_response' ? 'tool' : parts[0]?.type === 'text' ? speaker : 'assistant'
  return { role: textIn(item, 'role') ?? role, parts }
}

function toMessage({ role, content, parts, tool_calls, tool_call_id, function_call, ...rest }: Data): Message {
  const name = String(role)
  const known = { role: PROVIDERS_ROLES.get(name) ?? name }
  if (isList(parts)) return { ...rest, ...known, parts: toParts(parts) }
  if (tool_call_id !== undefined || name === 'function')
    return { ...known, parts: [toolResponse(tool_call_id, content, rest)] }
  const { reasoning_content, reasoning = reasoning_content, refusal, ...others } = rest
  return {
    ...notNull(others),
    ...known,
    parts: [
      ...(typeof reasoning === 'string' ? [{ type: 'reasoning', content: reasoning }] : []),
      ...toParts(content),
      ...toParts(refusal),
      ...(isList(tool_calls) ? tool_calls.filter(isData).map(toolCall) : []),
      ...(isData(function_call) ? [toolCall(function_call)] : []),
    ],
  }
}

const notNull = (values: Data): Data => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
