import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

const fixture = (path: string): Buffer => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url))
const stream = fixture('plan-act/default-mock/chat.sse')

let server: TestApp
let streamed: string

beforeAll(async () => {
  server = await startTestApp()
  const [record] = await server.importRecords(stream)
  streamed = record!.planId
  await server.importRecords(fixture('plan-act/default-mock/get_session.json'))
  await server.importRecords(fixture('lynxe/details-waiting-input.json'))
  await server.send(
    livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'plan-below', stepId: 'step-live' }),
  )
})
afterAll(() => server.close())

const get = async (planId: string, headers: Record<string, string> = {}, query = ''): Promise<Response> =>
  server.app.request(`/api/records/${planId}/events${query}`, { headers })

const idsOf = (text: string): string[] => [...text.matchAll(/^id: (.*)\r$/gm)].map(([, id]) => id!)
const withoutIds = (text: string): string => text.replaceAll(/^id: .*\r\n/gm, '')

describe('GET /api/records/{id}/events', () => {
  test('replays an imported stream byte for byte except the ids, and ends', async () => {
    const response = await get(streamed)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'planspan-verdict': 'complete',
      'planspan-state': 'completed',
    })
    const text = await response.text()
    expect(withoutIds(text)).toBe(stream.toString())
    expect(idsOf(text)).toHaveLength(24)
  })

  test('continues after the last event that the client has seen', async () => {
    const all = await (await get(streamed)).text()
    const ids = idsOf(all)
    const rest = await (await get(streamed, { 'last-event-id': ids[9]! })).text()
    expect(idsOf(rest)).toEqual(ids.slice(10))
    expect(all.endsWith(rest)).toBe(true)
    expect(await (await get(streamed, { 'last-event-id': 'unknown' })).text()).toBe(all)
  })

  test('stops a client that has seen all events of a finished plan from reconnecting', async () => {
    const ids = idsOf(await (await get(streamed)).text())
    expect((await get(streamed, { 'last-event-id': ids.at(-1)! })).status).toBe(204)
    const waiting = idsOf(await (await get('plan-1767061562002')).text())
    expect((await get('plan-1767061562002', { 'last-event-id': waiting.at(-1)! })).status).toBe(200)
  })

  test('streams a session that was imported as a document exactly as its server streamed it', async () => {
    expect(withoutIds(await (await get('a1b2c3d4e5f60718')).text())).toBe(stream.toString())
  })

  test('streams the plans of other systems and of running agents', async () => {
    const types = async (planId: string) =>
      [...(await (await get(planId)).text()).matchAll(/^event: (.*)\r$/gm)].map(([, type]) => type)
    expect(await types('plan-1767061562002')).toEqual(expect.arrayContaining(['title', 'plan', 'step', 'wait']))
    expect(await types('plan-live')).toEqual(expect.arrayContaining(['plan', 'step']))
  })

  test('returns 404 for an unknown plan and 400 for an unknown parameter', async () => {
    expect((await get('nothing')).status).toBe(404)
    expect((await get(streamed, {}, '?source=elsewhere')).status).toBe(404)
    expect((await get(streamed, {}, '?format=plan-act:sse')).status).toBe(400)
  })
})

describe('a session in the store', () => {
  test.each([
    ['plan-act:events', 'redis_output_stream.jsonl', 'application/jsonl'],
    ['plan-act:sse', 'chat.sse', 'text/event-stream; charset=utf-8'],
    ['plan-act:session', 'get_session.json', 'application/json'],
  ])('is returned as %s byte for byte', async (format, file, contentType) => {
    for (const run of ['default-mock', 'no-steps']) {
      const bytes = fixture(`plan-act/${run}/${file}`)
      const [record] = await server.importRecords(bytes, { source: run })
      const response = await server.app.request(`/api/records/${record!.planId}?source=${run}&format=${format}`)
      expect(response.headers.get('planspan-verdict')).toBe('complete')
      expect(response.headers.get('content-type')).toBe(contentType)
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
    }
  })

  test('is converted from its stream to a session document', async () => {
    const response = await server.app.request(`/api/records/${streamed}?format=plan-act:session`)
    const answer = (await response.json()) as { data: { events: unknown[] } }
    const real = JSON.parse(fixture('plan-act/default-mock/get_session.json').toString()) as typeof answer
    expect(answer.data.events).toEqual(real.data.events.slice(1))
  })
})
