import { expect, test } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import { explainTrace } from '../../../src/mapping/adopt/index.js'
import type { StoredSpan } from '../../../src/semconv/index.js'

type Attributes = Readonly<Record<string, string>>

const span = (id: number, parent: number, name: string, attributes: Attributes): StoredSpan =>
  ({
    traceId: 'a'.repeat(32),
    spanId: String(id).padStart(16, '0'),
    parentSpanId: parent === 0 ? '' : String(parent).padStart(16, '0'),
    name,
    kind: 'INTERNAL',
    serviceName: 'app',
    scopeName: 'app',
    scopeVersion: '',
    resource: {},
    startTimeUnixNano: 1_700_000_000_000_000_000n + BigInt(id),
    endTimeUnixNano: 1_700_000_001_000_000_000n,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes,
    events: [],
    links: [],
  }) as unknown as StoredSpan

const operation = (name: string, more: Attributes = {}): Attributes => ({ 'gen_ai.operation.name': name, ...more })

const SPANS = [
  span(1, 0, 'invoke_workflow trip', operation('invoke_workflow', { 'gen_ai.agent.name': 'trip' })),
  span(2, 1, 'invoke_agent guide', operation('invoke_agent', { 'gen_ai.agent.name': 'guide' })),
  span(
    3,
    2,
    'chat m',
    operation('chat', {
      'gen_ai.request.model': 'm',
      'gen_ai.request.temperature': '0.5',
      'gen_ai.prompt.name': 'travel',
      'gen_ai.prompt.version': '2',
      'gen_ai.prompt.variable.city': 'Rome',
      'gen_ai.response.time_to_first_chunk': '0.25',
      'gen_ai.usage.input_tokens': '10',
      'gen_ai.usage.cache_write.input_tokens': '4',
      'gen_ai.usage.cost': '0.5',
      'acme.unknown': 'x',
    }),
  ),
  span(
    4,
    2,
    'execute_tool load_skill pdf',
    operation('execute_tool', { 'gen_ai.tool.name': 'load_skill', 'gen_ai.skill.name': 'pdf' }),
  ),
  span(
    5,
    2,
    'search_memory',
    operation('search_memory', {
      'gen_ai.memory.store.id': 'ms-1',
      'gen_ai.memory.query.text': 'diet',
      'gen_ai.memory.records': '[{"content":"vegetarian"}]',
    }),
  ),
]

test('a cost that the sender reports is in the record of its call', () => {
  const { agentExecutionSequence } = JSON.parse(decodeRecord(SPANS)?.text ?? '') as {
    agentExecutionSequence: { thinkActSteps: { planspan: { modelCalls: object[] } }[] }[]
  }
  const [cycle] = agentExecutionSequence[0]!.thinkActSteps
  expect(cycle?.planspan.modelCalls).toMatchObject([{ inputTokens: 10, costUsd: 0.5 }])
})

test('attributes that the conventions define and planspan has no field for are in the record', () => {
  const decoded = decodeRecord(SPANS)
  expect(JSON.parse(decoded?.text ?? '')).toMatchObject({ title: 'trip' })
  const found = [...(decoded?.text ?? '').matchAll(/"attributes":\{[^}]*\}/g)].map(([text]) => JSON.parse(`{${text}}`))
  expect(found.map(({ attributes }) => attributes)).toEqual([
    { 'gen_ai.skill.name': 'pdf' },
    { 'gen_ai.memory.store.id': 'ms-1' },
    {
      'gen_ai.request.temperature': '0.5',
      'gen_ai.prompt.name': 'travel',
      'gen_ai.prompt.version': '2',
      'gen_ai.prompt.variable.city': 'Rome',
      'gen_ai.response.time_to_first_chunk': '0.25',
    },
  ])
})

test('a memory operation is a tool call with its query and its records', () => {
  const text = decodeRecord(SPANS)?.text ?? ''
  expect(text).toContain('search_memory')
  expect(text).toContain('diet')
  expect(text).toContain('vegetarian')
})

test('only attributes that the conventions do not define are listed as not read', () => {
  expect(explainTrace(SPANS).flatMap(({ ignored }) => ignored)).toEqual(['acme.unknown'])
})

test.each([
  ['USD', 0.5],
  ['EUR', undefined],
])('a cost in %s is the cost in US dollars: %s', (currency, costUsd) => {
  const cost = { 'gen_ai.usage.cost.amount': '0.5', 'gen_ai.usage.cost.currency': currency }
  const call = span(3, 2, 'chat m', operation('chat', { 'gen_ai.request.model': 'm', ...cost }))
  const text = decodeRecord([...SPANS.slice(0, 2), call])?.text ?? ''
  const { agentExecutionSequence } = JSON.parse(text) as {
    agentExecutionSequence: { thinkActSteps: { planspan: { modelCalls: { costUsd?: number }[] } }[] }[]
  }
  const [calls] = agentExecutionSequence[0]!.thinkActSteps.map(({ planspan }) => planspan.modelCalls)
  expect(calls).toMatchObject([{ attributes: cost }])
  expect(calls?.[0]?.costUsd).toBe(costUsd)
})

const CHAT = span(3, 2, 'chat m', operation('chat', { 'gen_ai.request.model': 'm' }))

test('a fetched response is a call with the response’s id and its messages', () => {
  const output = '[{"role":"assistant","parts":[{"type":"text","content":"Done."}]}]'
  const fetched = operation('fetch_response', { 'gen_ai.response.id': 'r-1', 'gen_ai.output.messages': output })
  const { text = '', verdict } = decodeRecord([...SPANS.slice(0, 2), CHAT, span(6, 2, 'fetch_response', fetched)]) ?? {}
  expect(verdict).not.toBe('partial')
  expect(text).toContain('"name":"fetch_response","parameters":"r-1"')
  expect(text).toContain('Done.')
})
