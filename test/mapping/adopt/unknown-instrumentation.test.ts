import { describe, expect, it } from 'vitest'

import { decodeRecord, explainTrace } from '../../../src/mapping/index.js'
import type { StoredSpan } from '../../../src/semconv/index.js'
import { FOREIGN_TRACES, foreignRows } from '../../support/foreign-traces.js'

/** The rows of a trace as an instrumentation would send them that has its own names for everything. */
const renamed = (file: string): StoredSpan[] =>
  foreignRows(file).map((row) => ({
    ...row,
    scopeName: 'acme',
    attributes: Object.fromEntries(Object.entries(row.attributes).map(([key, value]) => [`acme.${key}`, value])),
  }))

interface RecordJson {
  readonly agentExecutionSequence: readonly {
    readonly agentName: string
    readonly thinkActSteps: readonly { readonly actToolInfoList: readonly { readonly name: string }[] | null }[]
    readonly subPlanExecutionRecords: readonly RecordJson[]
  }[]
  readonly planspan: { readonly modelCalls: number; readonly usage: Readonly<Record<string, number>> }
}

const agentsOf = ({ agentExecutionSequence }: RecordJson): RecordJson['agentExecutionSequence'] =>
  agentExecutionSequence.flatMap((agent) => [agent, ...agent.subPlanExecutionRecords.flatMap(agentsOf)])

const READABLE = new Set([
  'genai-semconv/microsoft-agent-framework.otlp.json',
  'vercel-ai/ai-sdk-v7-genai.otlp.json',
  'pydantic-ai/delegate.otlp.json',
])

describe.each(FOREIGN_TRACES.filter(({ file }) => READABLE.has(file)))('$file under unknown names', (labels) => {
  const decoded = decodeRecord(renamed(labels.file))
  const record = JSON.parse(decoded?.text ?? 'null') as RecordJson

  it('has the same agents, calls and tokens', () => {
    const agents = agentsOf(record)
    const tools = agents.flatMap(({ thinkActSteps }) =>
      thinkActSteps.flatMap(({ actToolInfoList }) => (actToolInfoList ?? []).map(({ name }) => name)),
    )
    expect(record.planspan.modelCalls).toBe(labels.llmCalls)
    expect(tools.toSorted()).toEqual((labels.toolCalls ?? []).toSorted())
    expect(agents.map(({ agentName }) => agentName).toSorted()).toEqual(labels.agents.toSorted())
    expect(record.planspan.usage).toMatchObject({
      inputTokens: labels.tokens?.input,
      outputTokens: labels.tokens?.output,
    })
  })

  it('is partial, because the names of attributes alone do not prove their meaning', () => {
    expect(decoded).toMatchObject({
      verdict: 'partial',
      missing: ['the rules for "acme": its spans were read by the names of their attributes'],
    })
  })
})

it('explains which attribute each value of an unknown instrumentation was read from', () => {
  const reading = explainTrace(renamed('vercel-ai/ai-sdk-v7-genai.otlp.json'))
  expect(reading.find(({ role }) => role === 'llm')).toMatchObject({
    convention: 'unknown',
    why: 'no rule matches: read by the names of its attributes',
    taken: {
      'gen_ai.request.model': 'acme.gen_ai.request.model',
      'gen_ai.usage.input_tokens': 'acme.gen_ai.usage.input_tokens',
      'gen_ai.output.messages': 'acme.gen_ai.output.messages',
    },
  })
})

const row = (attributes: Readonly<Record<string, string>>, more: Partial<StoredSpan> = {}): StoredSpan => ({
  ...(foreignRows('logfire/pending-complete.otlp.json')[0] as StoredSpan),
  spanId: '00000000000000aa',
  parentSpanId: '',
  name: 'POST /ask',
  scopeName: 'some',
  attributes,
  ...more,
})

it.each<[what: string, attributes: Readonly<Record<string, string>>]>([
  ['a request', { 'http.request.method': 'POST', 'url.query': 'model=x', 'user_agent.name': 'curl' }],
  ['a query', { 'db.query.text': 'SELECT 1', 'db.response.returned_rows': '1', 'prisma.model': 'User', input: '{}' }],
  ['a car', { 'car.model': 'T', request: 'price', response: '100' }],
  ['a job', { type: 'task', input: 'a', output: 'b', 'session.id': 's' }],
  ['a chat room', { operation: 'chat', message: 'hello', result: 'sent' }],
])('reads no plan in the span of %s', (_, attributes) => {
  expect(decodeRecord([row(attributes)])).toBeUndefined()
})

it('reads only model calls of an unknown instrumentation in a trace that rules can read', () => {
  const rows = [
    row({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'guide' }),
    row(
      { 'acme.model': 'm', 'acme.tokens.input': '10', 'acme.tokens.output': '2' },
      { spanId: '00000000000000ab', parentSpanId: '00000000000000aa', scopeName: 'acme' },
    ),
    row(
      { 'acme.tool.name': 'cache', 'acme.input': 'x' },
      { spanId: '00000000000000ac', parentSpanId: '00000000000000aa', scopeName: 'acme' },
    ),
  ]
  expect(JSON.parse(decodeRecord(rows)?.text ?? '')).toMatchObject({
    agentExecutionSequence: [{ agentName: 'guide', thinkActSteps: [{ actToolInfoList: null }] }],
    planspan: { modelCalls: 1, usage: { inputTokens: 10, outputTokens: 2 } },
  })
  expect(explainTrace(rows).find(({ spanId }) => spanId.endsWith('ac'))?.why).toBe('not understood: no rule matches')
})
