import type { StoredSpan } from '../../src/semconv/index.js'

/** A span of another instrumentation. Keys other than these are attributes. */
export interface ForeignSpan {
  /** Milliseconds from the start of the trace. @default the span's position */
  readonly at?: number
  /** @default the key of the span */
  readonly name?: string
  /** The key of the parent. */
  readonly parent?: string
  /** The message of a failed span. */
  readonly failed?: string
  readonly [attribute: string]: unknown
}

export const TRACE = 'f'.repeat(32)

/** Returns the rows of one trace by span key. Each span is 1 ms long. Attributes that are no text become JSON. */
export const foreignSpans = (spans: Readonly<Record<string, ForeignSpan>>): StoredSpan[] =>
  Object.entries(spans).map(([key, { at, name, parent, failed, ...attributes }], place): StoredSpan => {
    const start = BigInt(at ?? place) * 1_000_000n
    return {
      traceId: TRACE,
      spanId: spanIdOf(key),
      parentSpanId: parent === undefined ? '' : spanIdOf(parent),
      name: name ?? key,
      kind: 'Internal',
      startTimeUnixNano: start,
      endTimeUnixNano: start + 1_000_000n,
      statusCode: failed === undefined ? 'UNSET' : 'ERROR',
      statusMessage: failed ?? '',
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
      events: [],
      links: [],
      serviceName: 'shop',
      scopeName: 'some',
      resourceAttributes: {},
    }
  })

export const spanIdOf = (key: string): string => Buffer.from(key).toString('hex').slice(0, 16).padStart(16, '0')

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
