import { afterAll, beforeAll, expect, test } from 'vitest'

import { EventSourceReader } from '../../support/event-source.js'
import {
  type SpanChangeJson,
  spanChangeSchema,
  type SpanJson,
  type SpanList,
  type StructureJson,
} from '../../../src/wire/index.js'
import { FOREIGN_TRACES, foreignRows, otlpSpanBySpan, otlpText } from '../../support/foreign-traces.js'
import { wholeLife } from '../../support/plan-life.js'
import { startTestApp, type TestApp } from '../test-app.js'

let server: TestApp
const stop = new AbortController()

beforeAll(async () => {
  server = await startTestApp({ stop: stop.signal })
})
afterAll(() => server.close())

const TRACE = 'c'.repeat(32)
const FOREIGN = 'vercel-ai/ai-sdk-v7-genai.otlp.json'

async function post(body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.app.request('/v1/traces', { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
}

async function watch(planId: string, lastEventId?: string): Promise<EventSourceReader> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await server.app.request(`/api/records/${planId}/spans/events`, { headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  return new EventSourceReader(response.body!)
}

/** The state of a client that keeps the last change of each span. */
const shown = ({ frames }: EventSourceReader): SpanJson[] => {
  const spans = new Map<string, SpanJson>()
  for (const { event, data } of frames)
    if (event === 'span') spans.set(String(data['spanId']), data as unknown as SpanJson)
  return [...spans.values()]
}

const inOrder = (spans: readonly SpanJson[]): SpanJson[] => spans.toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1))

async function stored(planId: string): Promise<SpanJson[]> {
  const response = await server.app.request(`/api/records/${planId}/spans`)
  return inOrder(((await response.json()) as SpanList).spans)
}

test('a live plan’s spans are reported as they arrive, with each change, and nothing unchanged', async () => {
  const planId = 'plan-watched'
  const rows = wholeLife({ planId, traceId: TRACE }).rows
  await server.send(rows.slice(0, 3))
  const events = await watch(planId)
  await events.until(() => events.types.includes('known'))
  expect(inOrder(shown(events))).toEqual(await stored(planId))
  for (let at = 3; at < rows.length; at += 8) await server.send(rows.slice(at, at + 8))
  await events.toEnd()
  expect(inOrder(shown(events))).toEqual(await stored(planId))
  expect(shown(events).every(({ pending }) => !pending)).toBe(true)
  const reported = events.frames.map(({ event, data }) => `${event ?? ''} ${JSON.stringify(data)}`)
  expect(new Set(reported.filter((one) => one.startsWith('span'))).size).toBe(
    reported.filter((one) => one.startsWith('span')).length,
  )
  const headers = { 'last-event-id': events.lastId! }
  expect((await server.app.request(`/api/records/${planId}/spans/events`, { headers })).status).toBe(204)
  const again = await watch(planId, 'odd')
  await again.toEnd()
  expect(inOrder(shown(again))).toEqual(await stored(planId))
})

test('a client that reconnects receives what it has missed', async () => {
  const planId = 'plan-resumed'
  const rows = wholeLife({ planId, traceId: 'd'.repeat(32) }).rows
  await server.send(rows.slice(0, 5))
  const first = await watch(planId)
  await first.until(() => first.types.includes('known'))
  await first.cancel()
  const second = await watch(planId, first.lastId)
  await second.until(() => second.types.includes('known'))
  expect(shown(second)).toEqual([])
  await second.cancel()
  await server.send(rows.slice(5))
  const third = await watch(planId, first.lastId)
  await third.toEnd()
  expect(inOrder(shown(third))).toEqual(await stored(planId))
})

test('changes contain no payloads, like the structure', async () => {
  const planId = 'plan-outlined'
  const rows = wholeLife({ planId, traceId: '9'.repeat(32) }).rows
  await server.send(rows.slice(0, 5))
  const response = await server.app.request(`/api/records/${planId}/spans/events?fields=structure`)
  const events = new EventSourceReader(response.body!)
  await events.until(() => events.types.includes('known'))
  await server.send(rows.slice(5))
  await events.toEnd()
  const reported = new Map<string, SpanChangeJson>()
  for (const { event, data } of events.frames) {
    if (event !== 'span') continue
    const change = spanChangeSchema.parse(data)
    reported.set(change[0], change)
  }
  const structure = (await (
    await server.app.request(`/api/records/${planId}?fields=structure`)
  ).json()) as StructureJson
  const begun = Date.parse(structure.startTime)
  expect([...reported.values()].toSorted((a, b) => (a[0] < b[0] ? -1 : 1))).toEqual(
    structure.spans
      .map(([spanId, parent, ...rest]) => {
        const [role, name, label, start, ...outcome] = rest
        const above = parent === null ? null : structure.spans[parent]![0]
        return [spanId, above, role, name, label, expect.closeTo(begun + start, 0), ...outcome]
      })
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  )
})

test('spans of other instrumentations are reported in the same way', async () => {
  const traceId = 'e'.repeat(32)
  const [one, ...others] = otlpSpanBySpan(FOREIGN, traceId)
  await post(one!)
  const events = await watch(traceId)
  await events.until(() => events.types.includes('known'))
  for (const other of others) await post(other)
  await events.toEnd()
  expect(inOrder(shown(events))).toEqual(expect.arrayContaining(await stored(traceId)))
})

test('all spans of a finished plan are reported at once', async () => {
  const file = FOREIGN_TRACES[1]!.file
  await post(otlpText(file))
  const planId = foreignRows(file)[0]!.traceId
  const events = await watch(planId)
  await events.toEnd()
  expect(inOrder(shown(events))).toEqual(await stored(planId))
})

test('a stopping server ends the streams and accepts no new ones', async () => {
  const planId = 'plan-cut'
  await server.send(wholeLife({ planId, traceId: 'f'.repeat(32) }).rows.slice(0, 3))
  const events = await watch(planId)
  await events.until(() => events.types.includes('known'))
  stop.abort()
  await events.toEnd()
  expect((await server.app.request(`/api/records/${planId}/spans/events`)).status).toBe(503)
})
