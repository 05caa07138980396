import type { Turn } from './story.js'

/** A turn as the response of OpenAI's Chat Completions API. */
export const chatCompletion = ({ text, calls, tokens }: Turn) => ({
  id: `chatcmpl-${tokens?.input}`,
  object: 'chat.completion',
  created: 1,
  model: 'made-up',
  choices: [
    {
      index: 0,
      finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      message: { role: 'assistant', content: text, tool_calls: calls.length > 0 ? toolCallsOf(calls) : undefined },
    },
  ],
  usage: {
    prompt_tokens: tokens?.input,
    prompt_tokens_details: { cached_tokens: tokens?.cached ?? 0 },
    completion_tokens: tokens?.output,
    completion_tokens_details: { reasoning_tokens: 0 },
    total_tokens: (tokens?.input ?? 0) + (tokens?.output ?? 0),
  },
})

const toolCallsOf = (calls: Turn['calls']) =>
  calls.map(({ id, name, arguments: values }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(values) },
  }))

/** The same response as server-sent events: the text, the tool calls, the reason, the usage. */
export function completionChunks(turn: Turn): string[] {
  const { choices, usage, ...rest } = chatCompletion(turn)
  const { message, finish_reason } = choices[0]!
  const { tool_calls = [], ...delta } = message
  const chunk = (parts: object) => `data: ${JSON.stringify({ ...rest, object: 'chat.completion.chunk', ...parts })}\n\n`
  return [
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
    ...tool_calls.map((call) => chunk({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
    chunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ]
}

/** A turn as the response of OpenAI's Responses API. */
export const response = ({ text, calls, tokens }: Turn) => ({
  id: `resp_${tokens?.input}`,
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'made-up',
  output: [
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            id: `msg_${tokens?.input}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.map(({ id, name, arguments: values }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(values),
      status: 'completed',
    })),
  ],
  usage: {
    input_tokens: tokens?.input,
    input_tokens_details: { cached_tokens: tokens?.cached ?? 0 },
    output_tokens: tokens?.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: (tokens?.input ?? 0) + (tokens?.output ?? 0),
  },
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
})

/** The same response as server-sent events, with each output item in one piece. */
export function responseEvents(turn: Turn): string[] {
  const whole = response(turn)
  let number = 0
  const event = (type: string, parts: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...parts })}\n\n`
  return [
    event('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } }),
    ...whole.output.flatMap((item, output_index) => itemEvents(item, output_index, event)),
    event('response.completed', { response: whole }),
  ]
}

type Item = ReturnType<typeof response>['output'][number]

function itemEvents(item: Item, output_index: number, event: (type: string, parts: object) => string): string[] {
  const place = { item_id: item.id, output_index }
  const part = 'content' in item ? item.content[0]! : undefined
  const text = part && { ...place, content_index: 0 }
  return [
    event('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', ...(part ? { content: [] } : { arguments: '' }) },
    }),
    ...(part && text
      ? [
          event('response.content_part.added', { ...text, part: { ...part, text: '' } }),
          event('response.output_text.delta', { ...text, delta: part.text, logprobs: [] }),
          event('response.output_text.done', { ...text, text: part.text, logprobs: [] }),
          event('response.content_part.done', { ...text, part }),
        ]
      : []),
    ...('arguments' in item
      ? [
          event('response.function_call_arguments.delta', { ...place, delta: item.arguments }),
          event('response.function_call_arguments.done', { ...place, arguments: item.arguments, name: item.name }),
        ]
      : []),
    event('response.output_item.done', { output_index, item }),
  ]
}
