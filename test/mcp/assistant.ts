import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Hono } from 'hono'
import process from 'node:process'

import { UNTRUSTED } from '../../src/mcp/define-tool.js'
import { MAIN } from '../cli/run-cli.js'

/** The output of a tool, as an assistant sees it. */
export type ToolOutput = Record<string, unknown>

/** A program that calls planspan's tools as an assistant does. */
export interface Assistant {
  readonly client: Client
  /** The number of calls. */
  readonly calls: number
  /** The largest response, in bytes of JSON. */
  readonly largest: number
  /** Calls a tool and returns its output; throws if the tool rejects the call. */
  ask<T = ToolOutput>(tool: string, asked?: object): Promise<T>
  close(): Promise<void>
}

const WAYS = {
  stdio: (url: string) =>
    new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', '--endpoint', url], stderr: 'inherit' }),
  http: (url: string) => new StreamableHTTPClientTransport(new URL(`${url}/mcp`)),
}
export const ways = Object.keys(WAYS) as (keyof typeof WAYS)[]

/** Connects to the server at a URL, by the command or by its own endpoint. */
export const startAssistant = (way: keyof typeof WAYS, url: string): Promise<Assistant> => connect(WAYS[way](url))

/** Connects to an app without a socket. */
export const assistantOf = (app: Hono): Promise<Assistant> =>
  connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: async (url, init) => app.request(String(url), init),
    }),
  )

async function connect(transport: Transport): Promise<Assistant> {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  await client.connect(transport)
  let [calls, largest] = [0, 0]
  return {
    client,
    get calls() {
      return calls
    },
    get largest() {
      return largest
    },
    async ask<T>(name: string, asked: object = {}) {
      calls++
      const answer = (await client.callTool({ name, arguments: { ...asked } })) as CallToolResult
      largest = Math.max(largest, Buffer.byteLength(JSON.stringify(answer)))
      const [text, ...more] = answer.content
      if (text?.type !== 'text') throw new Error('There is no text.')
      if (answer.isError) {
        // The protocol's library rejects invalid arguments itself, before any stored text is read.
        const [error] = text.text === UNTRUSTED ? more : [text]
        throw new Error(error?.type === 'text' ? error.text : 'There is no text.')
      }
      // Clients that ignore structured content receive the same JSON as text.
      if (text.text !== JSON.stringify(answer.structuredContent))
        throw new Error('The text differs from the structured content.')
      return answer.structuredContent as T
    },
    close: () => client.close(),
  }
}
