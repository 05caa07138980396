import { jsonText, type JsonText } from './json-text.js'

/**
 * Chat messages in the form of the GenAI conventions, `[{role, parts: [{type, …}]}]`. Accepts messages in that form and
 * in the providers' common form `{role, content}`; undefined for anything that is not a list of messages.
 */
export function messagesText(value: unknown): JsonText | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessage)) return undefined
  return jsonText(value.map(toMessage))
}

type Message = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Message => typeof value === 'object' && value !== null
const isMessage = (value: unknown): value is Message => isRecord(value) && typeof value['role'] === 'string'

function toMessage(message: Message): Message {
  if (Array.isArray(message['parts'])) return message
  const { content, ...rest } = message
  return { ...rest, parts: content === undefined || content === null ? [] : toParts(content) }
}

function toParts(content: unknown): readonly unknown[] {
  return (Array.isArray(content) ? content : [content]).map((block: unknown) => {
    if (typeof block === 'string') return { type: 'text', content: block }
    if (!isRecord(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return block
    const { text, ...rest } = block
    return { ...rest, content: text }
  })
}
