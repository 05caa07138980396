import type { Turn } from './story.js'

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }

/** A turn as the response of Anthropic's Messages API, whose input tokens do not include cached ones. */
export const anthropicMessage = ({ text, calls, tokens }: Turn) => ({
  id: `msg_${tokens?.input}`,
  type: 'message',
  role: 'assistant',
  model: 'made-up',
  content: [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }) as const),
  ] satisfies Block[],
  stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: (tokens?.input ?? 0) - (tokens?.cached ?? 0),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens?.cached ?? 0,
    output_tokens: tokens?.output,
  },
})

/** The same response as server-sent events. */
export function anthropicEvents(turn: Turn): string[] {
  const { content, usage, stop_reason, ...message } = anthropicMessage(turn)
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  return [
    event({ type: 'message_start', message: begun }),
    ...content.flatMap((block, index) => [
      event({ type: 'content_block_start', index, content_block: emptied(block) }),
      event({ type: 'content_block_delta', index, delta: deltaOf(block) }),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    }),
    event({ type: 'message_stop' }),
  ]
}

const event = (data: { readonly type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

const emptied = (block: Block): Block => (block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} })

const deltaOf = (block: Block): object =>
  block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
