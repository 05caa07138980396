import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { decodeRecord, treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import type { RecordPage, TraceReading } from '../../../src/wire/index.js'
import { EventSourceReader } from '../../support/event-source.js'
import { FOREIGN_TRACES, foreignRows, otlpSpanBySpan, otlpText } from '../../support/foreign-traces.js'
import { startTestApp, type TestApp } from '../test-app.js'

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
  for (const { file } of FOREIGN_TRACES) await post(otlpText(file))
})

afterAll(() => server.close())

const get = (path: string): Promise<Response> => Promise.resolve(server.app.request(path))
async function post(body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.app.request('/v1/traces', { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}

const traceIdOf = (file: string): string => foreignRows(file)[0]?.traceId ?? ''

interface PlanRecord {
  readonly agentExecutionSequence: readonly { readonly stepId: string; readonly agentName: string }[]
}

describe.each(FOREIGN_TRACES)('the trace of $file', ({ file }) => {
  it('is returned by its id exactly as the mapping converts the sent spans', async () => {
    const answer = await get(`/api/records/${traceIdOf(file)}`)
    const decoded = decodeRecord(foreignRows(file))
    expect(answer.headers.get('planspan-verdict')).toBe(decoded?.verdict)
    expect(answer.headers.get('planspan-state')).toBe(decoded?.state)
    expect(await answer.json()).toEqual(JSON.parse(decoded?.text ?? 'null'))
  })

  it('has spans, and agents that are found by their steps', async () => {
    const { agentExecutionSequence } = (await (await get(`/api/records/${traceIdOf(file)}`)).json()) as PlanRecord
    const { spans } = (await (await get(`/api/records/${traceIdOf(file)}/spans`)).json()) as { spans: unknown[] }
    expect(spans.length).toBeGreaterThan(1)
    for (const { stepId, agentName } of agentExecutionSequence) {
      expect(await (await get(`/api/records/${stepId}`)).json()).toMatchObject({ stepId, agentName })
      expect((await get(`/api/executor/agent-execution/${stepId}`)).status).toBe(200)
    }
  })

  it('is served under Lynxe’s own paths', async () => {
    const details = await get(`/api/executor/details/${traceIdOf(file)}`)
    expect(await details.json()).toMatchObject({ rootPlanId: traceIdOf(file) })
  })
})

it('is listed by GET /api/records, and found by its trace id and by its content', async () => {
  const traceId = traceIdOf('vercel-ai/ai-sdk-v7-genai.otlp.json')
  const found = async (query: string) => {
    const { records } = (await (await get(`/api/records?${query}`)).json()) as RecordPage
    return records.map(({ planId, convention, dialect }) => ({ planId, convention, dialect }))
  }
  const plan = { planId: traceId, convention: 'gen_ai', dialect: null }
  expect(await found('limit=100')).toEqual(expect.arrayContaining([plan]))
  expect(await found(`trace=${traceId}`)).toEqual([plan])
  const tree = treeSpans(foreignRows('vercel-ai/ai-sdk-v7-genai.otlp.json'))
  const tool = tree.flatMap(({ attributes }) => attributes[ATTR.toolName] ?? [])[0] ?? ''
  expect(await found(`tool=${encodeURIComponent(tool)}&state=completed&limit=100`)).toEqual(
    expect.arrayContaining([plan]),
  )
  expect(await found(`trace=${traceId}&tool=none`)).toEqual([])
  expect((await get('/api/records?tool=')).status).toBe(400)
})

it('streams the events of a trace whose spans are still arriving', async () => {
  const traceId = 'e'.repeat(32)
  const [first, ...others] = otlpSpanBySpan('vercel-ai/ai-sdk-v7-genai.otlp.json', traceId)
  await post(first ?? '')
  const answer = await get(`/api/records/${traceId}/events`)
  const events = new EventSourceReader(answer.body!)
  await events.until(() => events.types.includes('plan'))
  for (const one of others) await post(one)
  await events.until(() => events.types.includes('done'))
  expect(events.types.filter((type) => type === 'tool called')).toHaveLength(3)
})

it('reports how each span of a trace was adopted, and why', async () => {
  const traceId = traceIdOf('vercel-ai/ai-sdk-v7-legacy.otlp.json')
  const { spans } = (await (await get(`/api/traces/${traceId}/reading`)).json()) as TraceReading
  expect(spans.find(({ name }) => name === 'ai.generateText')).toMatchObject({
    role: 'agent',
    convention: 'vercel_ai',
    why: 'ai.operationId = ai.generateText',
    taken: { 'gen_ai.agent.name': 'ai.telemetry.functionId' },
  })
  expect((await get('/api/traces/zz/reading')).status).toBe(400)
  expect((await get(`/api/traces/${'9'.repeat(32)}/reading`)).status).toBe(404)
})

it('explains, for an id that is not a plan of a stored trace, what the trace is', async () => {
  const [first] = FOREIGN_TRACES
  const traceId = traceIdOf(first?.file ?? '')
  const answer = await get(`/api/records/${traceId}-${'9'.repeat(16)}`)
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain(`The trace ${traceId} is stored, but holds no plan or step`)
  expect((await get(`/api/records/${'9'.repeat(32)}`)).status).toBe(404)
})
