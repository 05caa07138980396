import { ATTR, OWN_ERA } from '../../semconv/index.js'
import { atif } from '../dialects/atif/index.js'
import type { SpanNode } from '../tree/index.js'
import { conversationsOf } from './conversations.js'
import type { ChatLine } from './message.js'
import { modelCallsOf } from './model-calls.js'

/** What a line of training data contains: all messages of an agent and its model, or one model call. */
export const CHAT_UNITS = ['conversation', 'call'] as const
export type ChatUnit = (typeof CHAT_UNITS)[number]

/**
 * Writes a plan as messages of OpenAI's chat completions, one JSON document per line. If the input of a model call is
 * unknown, the line contains all earlier messages.
 */
export function chatText(node: SpanNode, unit: ChatUnit): string {
  const { [ATTR.recordDialect]: dialect, [ATTR.recordEra]: era = '' } = node.span.attributes
  const conversations = () =>
    conversationsOf(dialect === atif.name && era !== OWN_ERA ? atif.decode(node, era) : atif.convert(node))
  const lines = unit === 'conversation' ? conversations() : callsOf(node, conversations)
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function callsOf(node: SpanNode, conversations: () => readonly ChatLine[]): readonly ChatLine[] {
  const calls = modelCallsOf(node)
  return calls.length > 0 ? calls : conversations().flatMap(beginnings)
}

/** Returns the beginnings of a conversation up to each of its answers. */
const beginnings = ({ messages, ...rest }: ChatLine): ChatLine[] =>
  messages.flatMap((message, index) =>
    message.role === 'assistant' && message.weight !== 0 ? [{ ...rest, messages: messages.slice(0, index + 1) }] : [],
  )
