import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { AtifTrajectory } from '../../../src/records/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { listenJaeger } from '../../../src/server/jaeger/index.js'
import type { Listener } from '../../../src/server/http/listen.js'
import type { ExportLine, RecordPage, SpanList } from '../../../src/wire/index.js'
import { byId, fieldsOf, GET_TRACES, jaegerClient, messages, text, type JaegerClient } from '../jaeger/jaeger-client.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

const bytes = readFileSync(new URL('../../fixtures/atif/harbor.json', import.meta.url))

let server: TestApp
let listener: Listener
let client: JaegerClient

beforeAll(async () => {
  server = await startTestApp()
  await server.importRecords(bytes, { source: 'harbor' })
  await server.send(
    livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'plan-below', stepId: 'step-live' }),
  )
  listener = await listenJaeger(server.store.traces, { host: '127.0.0.1', port: 0, outage: () => undefined })
  client = jaegerClient(`127.0.0.1:${listener.port}`)
})
afterAll(async () => {
  client.close()
  await listener.close(AbortSignal.abort())
  await server.close()
})

const get = (path: string): Promise<Response> => Promise.resolve(server.app.request(path))
const json = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T

describe('an imported trajectory', () => {
  test('is returned byte for byte', async () => {
    const answer = await get('/api/records/trajectory-main')
    expect(answer.headers.get('planspan-verdict')).toBe('complete')
    expect(await answer.text()).toBe(bytes.toString())
  })

  test('is listed with its dialect and its usage', async () => {
    const { records } = await json<RecordPage>('/api/records?dialect=atif')
    expect(records).toMatchObject([
      { planId: 'trajectory-main', dialect: 'atif', state: 'completed', source: 'harbor', tokens: 3788 },
    ])
  })

  test('has its subagent below the tool call that started it', async () => {
    const { spans } = await json<SpanList>('/api/records/trajectory-main/spans')
    const bySpanId = new Map(spans.map((span) => [span.spanId, span]))
    const subPlan = spans.find(({ attributes }) => attributes[ATTR.trajectoryId] === 'trajectory-explore')
    expect(bySpanId.get(subPlan?.parentSpanId ?? '')?.name).toBe('execute_tool task')
  })

  test('can be exported in every other dialect, and as messages', async () => {
    const answer = await get('/api/records/trajectory-main?format=chat')
    expect(answer.headers.get('content-type')).toBe('application/jsonl')
    expect((await answer.text()).split('\n')).toHaveLength(3)
    for (const format of ['plan-execution', 'trajectory', 'review-log', 'plan-act:session']) {
      const converted = await get(`/api/records/trajectory-main?format=${format}`)
      expect([format, converted.status]).toEqual([format, 200])
      expect(await converted.text()).toContain('Fix the failing test')
    }
  })
})

test('and a live plan as a trajectory, with its sub-plan embedded', async () => {
  const trajectory = await json<AtifTrajectory>('/api/records/plan-live?format=atif')
  expect(trajectory).toMatchObject({
    schema_version: 'ATIF-v1.8',
    trajectory_id: 'plan-live',
    subagent_trajectories: [{ trajectory_id: 'plan-below' }],
  })
})

describe('an export as messages for training', () => {
  const exported = async (query: string) =>
    (await (await get(`/api/export?format=chat${query}`)).text())
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ExportLine)

  test('has a line per conversation, each with its plan', async () => {
    const lines = await exported('&dialect=atif')
    expect(lines.map(({ planId, verdict }) => [planId, verdict])).toEqual([
      ['trajectory-main', 'complete'],
      ['trajectory-main', 'complete'],
    ])
    expect(lines[0]!.record).toMatchObject({
      messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant' }, {}, {}, {}, {}, {}, {}, {}],
    })
  })

  test('has a line per model call on request', async () => {
    expect(await exported('&dialect=atif&per=call')).toHaveLength(4)
  })

  test('omits redacted records unless they are requested', async () => {
    const secret = bytes.toString().replaceAll('Two files', 'Bearer ghp_0123456789abcdefghijABCDEFGHIJ456789')
    const answer = await server.app.request('/api/records?redact=true&source=masked', { method: 'POST', body: secret })
    expect(answer.status).toBe(200)
    expect(await exported('&dialect=atif&source=masked')).toEqual([])
    expect((await exported('&dialect=atif&source=masked&incomplete=true'))[0]).toMatchObject({ verdict: 'redacted' })
  })
})

test('Jaeger shows the spans of a trajectory', async () => {
  const [{ traceId } = { traceId: '' }] = (await json<RecordPage>('/api/records?dialect=atif&source=harbor')).records
  const { messages: chunks } = await client.stream(GET_TRACES, byId(traceId))
  const names = chunks.flatMap((chunk) =>
    messages(fieldsOf(chunk), 1).flatMap((resource) =>
      messages(resource, 2).flatMap((scope) => messages(scope, 2).map((span) => text(span, 5))),
    ),
  )
  expect(names).toHaveLength(14)
  expect(names).toEqual(expect.arrayContaining(['invoke_agent terminus-2', 'execute_tool bash', 'chat gpt-5-2026-08']))
})
