import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { Client, RequestOptions } from '../client/index.js'
import { AnswerRoom, costOf, MAX_ANSWER_BYTES } from './answer-room.js'
import { UNTRUSTED, untrusted } from './untrusted.js'

/** What a tool works with: the server, room for its answer, and when nobody waits for it any more. */
export interface Work extends RequestOptions {
  readonly client: Client
  readonly room: AnswerRoom
}

/** A question that an assistant may ask. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  /** What it tells, when to use it, and how to get more than one answer holds. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  run(asked: z.output<Input>, work: Work): Promise<z.output<Output>>
}

/** Declares a tool, and infers the types of what it takes, which is checked before it runs, and of what it gives. */
export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool => ({
  ...tool,
  run: (asked, work) => tool.run(asked as z.output<Input>, work),
})

const MAX_ERROR_BYTES = 4_000

/** Offers a tool; what fails is said in the answer, so that the assistant can ask otherwise. */
export function registerTool(server: McpServer, client: Client, tool: Tool): void {
  const { name, title, description, input, output, run } = tool
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  server.registerTool(
    name,
    { title, description, inputSchema: input, outputSchema: z.object({ untrusted, ...output.shape }), annotations },
    async (asked, { mcpReq: { signal } }): Promise<CallToolResult> => {
      try {
        const told = { untrusted: UNTRUSTED, ...(await run(asked, { client, signal, room: new AnswerRoom() })) }
        if (costOf(told) > MAX_ANSWER_BYTES) throw new Error('The answer is too large. Ask for less of it.')
        return { content: [{ type: 'text', text: JSON.stringify(told) }], structuredContent: told }
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        return { content: [{ type: 'text', text: said.slice(0, MAX_ERROR_BYTES) }], isError: true }
      }
    },
  )
}
