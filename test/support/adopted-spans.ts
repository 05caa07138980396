import { treeSpans, type TreeSpan } from '../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'

const TRACE = 'f'.repeat(32)

export interface SpanInput {
  /** Milliseconds from the start of the trace. @default the span's number */
  readonly at?: number
  /** Milliseconds from the start of the trace. @default 1 ms after the start */
  readonly until?: number
  readonly name?: string
  readonly parent?: string
  readonly failed?: string
  /** The instrumentation. @default some */
  readonly by?: string
  readonly [attribute: string]: string | number | undefined
}

/** Rows of one trace by span id. Keys outside `SpanInput` are attributes. */
export const rows = (spans: Readonly<Record<string, SpanInput>>): StoredSpan[] =>
  Object.entries(spans).map(
    ([id, { at, until, name, parent, failed, by = 'some', ...attributes }], index): StoredSpan => {
      const start = at ?? index
      return {
        traceId: TRACE,
        spanId: idOf(id),
        parentSpanId: parent === undefined ? '' : idOf(parent),
        name: name ?? id,
        kind: 'Internal',
        startTimeUnixNano: BigInt(start) * 1_000_000n,
        endTimeUnixNano: BigInt(until ?? start + 1) * 1_000_000n,
        statusCode: failed === undefined ? 'UNSET' : 'ERROR',
        statusMessage: failed ?? '',
        attributes: attributes as Record<string, string>,
        events: [],
        links: [],
        serviceName: 'shop',
        scopeName: by,
        resourceAttributes: {},
      }
    },
  )

export const idOf = (id: string): string => Buffer.from(id).toString('hex').slice(0, 16).padStart(16, '0')

/** A tree as lines: each span with a role, indented below its ancestors with a role. */
export function outline(stored: readonly StoredSpan[]): string[] {
  const spans = treeSpans(stored)
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const lines: string[] = []
  const below = (parentId: string | undefined, depth: number): void => {
    for (const span of spans) {
      if (roleParent(span, byId) !== parentId || span.attributes[ATTR.spanKind] === undefined) continue
      const { attributes } = span
      const said = attributes[ATTR.agentName] ?? attributes[ATTR.toolName] ?? attributes[ATTR.planTitle] ?? ''
      const role = attributes[ATTR.spanKind] ?? ''
      lines.push(`${'  '.repeat(depth)}${role} ${role === 'llm' || role === 'think_act' ? '' : said}`.trimEnd())
      below(span.spanId, depth + 1)
    }
  }
  below(undefined, 0)
  return lines
}

function roleParent(span: TreeSpan, byId: ReadonlyMap<string, TreeSpan>): string | undefined {
  for (let at = byId.get(span.parentSpanId); at; at = byId.get(at.parentSpanId)) {
    if (at.attributes[ATTR.spanKind] !== undefined) return at.spanId
  }
  return undefined
}

export const agent = (name: string, parent?: string) => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': name,
  ...(parent !== undefined && { parent }),
})

export const chat = (parent: string, input = 10, output = 1) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': String(input),
  'gen_ai.usage.output_tokens': String(output),
  parent,
})

export const tool = (name: string, parent: string, id?: string) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  ...(id !== undefined && { 'gen_ai.tool.call.id': id }),
  parent,
})
