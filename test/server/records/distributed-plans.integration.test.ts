import { afterAll, beforeAll, expect, it } from 'vitest'

import type { RecordPage } from '../../../src/wire/index.js'
import { startTestApp, type TestApp } from '../test-app.js'

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.close())

const START = BigInt(Date.now() - 60_000) * 1_000_000n

interface SpanInput {
  readonly in?: string
  readonly at: readonly [number, number]
  readonly [attribute: string]: unknown
}

const idOf = (name: string): string => Buffer.from(name).toString('hex').padStart(16, '0')
const time = (ms: number): string => String(START + BigInt(ms) * 1_000_000n)

/** The request of one service, with a span that names its parent in the same or another service. */
const request = (traceId: string, service: string, spans: Readonly<Record<string, SpanInput>>) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [
        {
          scope: { name: service },
          spans: Object.entries(spans).map(([name, { in: parent, at, ...attributes }]) => ({
            traceId,
            spanId: idOf(name),
            parentSpanId: parent === undefined ? '' : idOf(parent),
            name,
            kind: 1,
            startTimeUnixNano: time(at[0]),
            endTimeUnixNano: time(at[1]),
            attributes: Object.entries(attributes).map(([key, value]) => ({
              key,
              value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
            })),
          })),
        },
      ],
    },
  ],
})

const chat = (parent: string, at: readonly [number, number], input: number, output: number): SpanInput => ({
  in: parent,
  at,
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
})

/** A plan of planspan's own, around an agent of another framework, whose tool calls a service with a third one. */
function requestsOf(traceId: string, planId: string) {
  const own = { 'planspan.plan.id': planId, 'planspan.plan.root_id': planId }
  const agent = (name: string) => ({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name })
  return {
    plan: request(traceId, 'web', { plan: { at: [0, 100], ...own, 'planspan.span.kind': 'plan' } }),
    step: request(traceId, 'web', {
      step: { in: 'plan', at: [1, 99], ...own, ...agent('step') },
      one: { ...chat('step', [2, 10], 100, 200), ...own },
      tool: { in: 'step', at: [11, 80], ...own, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ask' },
      http: { in: 'tool', at: [12, 79], ...own, 'http.request.method': 'POST' },
      two: { ...chat('step', [81, 98], 100, 200), ...own },
    }),
    worker: request(traceId, 'worker', {
      serve: { in: 'http', at: [13, 78], 'http.request.method': 'POST' },
      worker: { in: 'serve', at: [14, 77], ...agent('worker') },
      three: chat('worker', [15, 40], 2000, 2000),
      four: chat('worker', [51, 76], 2000, 2700),
    }),
  }
}

it.each<[order: string, names: readonly ('plan' | 'step' | 'worker')[]]>([
  ['from the inside', ['worker', 'step', 'plan']],
  ['from the outside', ['plan', 'step', 'worker']],
  ['with the step last', ['worker', 'plan', 'step']],
])('a plan over several services is one plan in record, list and SQL, if its spans arrive %s', async (order, names) => {
  const planId = `plan ${order}`
  const traceId = Buffer.from(order).toString('hex').padEnd(32, '0').slice(0, 32)
  const requests = requestsOf(traceId, planId)
  const get = async (path: string): Promise<unknown> => (await server.app.request(path)).json()
  for (const name of names) {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.app.request('/v1/traces', {
      method: 'POST',
      headers,
      body: JSON.stringify(requests[name]),
    })
    expect(answer.status).toBe(200)
    // The indexer has written the rows of these spans before more arrive.
    await get(`/api/records?trace=${traceId}`)
  }
  const { records } = (await get(`/api/records?trace=${traceId}`)) as RecordPage
  expect(records).toMatchObject([{ planId, tokens: 9_300, state: 'completed' }])
  expect(await get(`/api/records/${encodeURIComponent(planId)}`)).toMatchObject({
    planspan: { usage: { totalTokens: 9_300 } },
  })
  const { client, database } = server.store
  const answer = await client.query({
    query: `SELECT PlanId, TotalTokens FROM ${database}.plan_usage WHERE TraceId = '${traceId}' AND IsRoot`,
    format: 'JSONEachRow',
  })
  expect(await answer.json()).toEqual([{ PlanId: planId, TotalTokens: '9300' }])
})
