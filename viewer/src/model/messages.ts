/** A displayed part of a message. */
export type Part =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly id: string; readonly value: unknown }
  | { readonly kind: 'response'; readonly id: string; readonly value: unknown }
  | { readonly kind: 'other'; readonly value: unknown }

export interface Message {
  readonly role: string
  readonly parts: readonly Part[]
}

type Data = Readonly<Record<string, unknown>>

/** Parses an attribute with messages as JSON; undefined if it is not a list of messages. */
export function messagesOf(json: string | undefined): Message[] | undefined {
  const list = json === undefined ? undefined : parsed(json)
  if (!Array.isArray(list) || list.length === 0 || !list.every(isData)) return undefined
  return list.map((message) => ({
    role: typeof message['role'] === 'string' ? message['role'] : '',
    parts: (Array.isArray(message['parts']) ? message['parts'] : [message]).map(partOf),
  }))
}

function partOf(part: unknown): Part {
  if (!isData(part)) return { kind: 'other', value: part }
  const { type, content } = part
  if (typeof content === 'string') {
    if (type === 'reasoning') return { kind: 'thought', text: content }
    if (type === 'text' || type === undefined) return { kind: 'text', text: content }
  }
  if (type === 'tool_call') {
    return { kind: 'call', name: text(part['name']), id: text(part['id']), value: part['arguments'] }
  }
  if (type === 'tool_call_response') {
    return { kind: 'response', id: text(part['id']), value: part['response'] ?? part['result'] }
  }
  return { kind: 'other', value: part }
}

/** Parses JSON; undefined if it is malformed. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
