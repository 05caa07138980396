import { itemsOf, jsonString, member, stringOf, type JsonNode, tryParseJson, compactJson } from '../json/index.js'

/** A part of a message's content. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A tool call in OpenAI's chat messages. The arguments are JSON text. */
export interface ChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message of OpenAI's chat completions. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly tool_calls?: readonly ChatCall[]
      /** 0 marks context, which is not to be learned. */
      readonly weight?: 0
    }

/** A line of training data. Its last messages are the model's. */
export interface ChatLine {
  readonly messages: readonly ChatMessage[]
  readonly tools?: unknown
}

/** Returns the text of a message's content. */
export function textOf(content: JsonNode | undefined): string {
  if (content?.kind === 'string') return content.value
  return itemsOf(content)
    .flatMap((part) => stringOf(member(part, 'text')) ?? [])
    .join('\n')
}

/** Returns the content of a user's message, which may contain images. */
export function partsOf(content: JsonNode | undefined): string | readonly ChatPart[] {
  if (content?.kind !== 'array') return textOf(content)
  return content.items.flatMap((part): ChatPart[] => {
    const text = stringOf(member(part, 'text'))
    const url = stringOf(member(member(part, 'source'), 'path'))
    if (text !== undefined) return [{ type: 'text', text }]
    return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }]
  })
}

/** Returns arguments as the JSON text of an object. */
export function argumentsOf(node: JsonNode | undefined): string {
  const parsed = node?.kind === 'string' ? tryParseJson(node.value) : node
  if (parsed?.kind === 'object') return compactJson(parsed)
  return node ? compactJson({ kind: 'object', members: [{ key: jsonString('arguments'), value: node }] }) : '{}'
}

/** Returns an assistant message. Undefined without content and calls. */
export function answer(content: string, calls: readonly ChatCall[], isContext: boolean): ChatMessage | undefined {
  if (content === '' && calls.length === 0) return undefined
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(isContext && { weight: 0 }),
  }
}
