import type { StoredSpan } from '../../src/semconv/index.js'
import { rows } from './adopted-spans.js'

/** A span of another instrumentation, as for `rows`. Attributes may be data. */
export interface ForeignSpan {
  readonly [key: string]: unknown
}

const NO_ATTRIBUTES: ReadonlySet<string> = new Set(['at', 'until', 'name', 'parent', 'failed', 'by'])

/** Returns the rows of one trace by span key. Attributes that are data become JSON. */
export const foreignSpans = (spans: Readonly<Record<string, ForeignSpan>>): StoredSpan[] =>
  rows(Object.fromEntries(Object.entries(spans).map(([key, span]) => [key, withTexts(span)])))

const withTexts = (span: ForeignSpan): Record<string, string> =>
  Object.fromEntries(
    Object.entries(span).map(([key, value]) => [
      key,
      (NO_ATTRIBUTES.has(key) || typeof value === 'string' ? value : JSON.stringify(value)) as string,
    ]),
  )

export const agentSpan = (name: string, more: ForeignSpan = {}): ForeignSpan => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': name,
  ...more,
})

/** A message part that requests a tool call. */
export const asks = (id: string | undefined, name: string, args: unknown = {}) => ({
  type: 'tool_call',
  ...(id !== undefined && { id }),
  name,
  arguments: args,
})

export const answers = (id: string | undefined, response: unknown, more = {}) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', ...(id !== undefined && { id }), response, ...more }],
})

export const says = (role: string, ...parts: unknown[]) => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', content: part } : part)),
})

/** A model call with its messages. Without messages, the call recorded none. */
export const chatSpan = (
  parent: string,
  { input, output, ...more }: ForeignSpan & { readonly input?: unknown; readonly output?: unknown } = {},
): ForeignSpan => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  parent,
  ...(input !== undefined && { 'gen_ai.input.messages': input }),
  ...(output !== undefined && { 'gen_ai.output.messages': output }),
  ...more,
})

export const toolSpan = (parent: string, name: string, more: ForeignSpan = {}): ForeignSpan => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  parent,
  ...more,
})
