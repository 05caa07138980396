import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { STORIES, type Turn } from './story.js'

/** All agents of all stories; each has different instructions. */
const AGENTS = Object.values(STORIES).flatMap(({ agents }) => Object.values(agents))

/**
 * A simulated model with OpenAI's API, so that frameworks call it with their own clients. It recognizes an agent by its
 * instructions, and the turn by the calls in the messages.
 */
export async function startModel() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(Buffer.concat(chunks).toString(), request.url ?? '', response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(asked: string, path: string, response: ServerResponse): void {
  const agent = AGENTS.find(({ instructions }) => asked.includes(instructions))
  const turn = agent?.turns.find(({ calls }) => !calls.some(({ id }) => asked.includes(id)))
  if (turn === undefined) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `No agent of a story asks this: ${asked}` } }))
  } else if ((JSON.parse(asked) as { stream?: boolean }).stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      chunksOf(turn)
        .map((chunk) => `data: ${chunk}\n\n`)
        .join(''),
    )
  } else {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(path.endsWith('/responses') ? responseOf(turn) : completionOf(turn)))
  }
}

const completionOf = ({ text, calls, tokens: { input, output } }: Turn) => ({
  id: `chatcmpl-${input}`,
  object: 'chat.completion',
  created: 1,
  model: 'made-up',
  choices: [
    {
      index: 0,
      finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      message: { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: toolCallsOf(calls) }) },
    },
  ],
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
})

const toolCallsOf = (calls: Turn['calls']) =>
  calls.map(({ id, name, arguments: values }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(values) },
  }))

/** The same response as a stream: the message in one chunk, the reason, the usage. */
function chunksOf(turn: Turn): string[] {
  const { choices, usage, ...rest } = completionOf(turn)
  const { message: delta, finish_reason } = choices[0]!
  const chunk = (parts: object) => JSON.stringify({ ...rest, object: 'chat.completion.chunk', ...parts })
  return [
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
    chunk({ choices: [], usage }),
    '[DONE]',
  ]
}

const responseOf = ({ text, calls, tokens: { input, output } }: Turn) => ({
  id: `resp_${input}`,
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'made-up',
  output: [
    ...(text === ''
      ? []
      : [{ type: 'message', id: `msg_${input}`, role: 'assistant', status: 'completed', content: [outputText(text)] }]),
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
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  },
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
})

const outputText = (text: string) => ({ type: 'output_text', text, annotations: [] })
