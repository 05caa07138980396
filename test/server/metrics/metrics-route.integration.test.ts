import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hono } from 'hono'

import { generatePlans } from '../../../src/generate/index.js'
import { createSpanSender } from '../../../src/sender/index.js'
import { createApp, openStore, type OpenStore } from '../../../src/server/index.js'
import { freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { unreachableApp } from '../test-app.js'

let fresh: FreshDatabase
let opened: OpenStore
let app: Hono
const stop = new AbortController()
beforeAll(async () => {
  fresh = await freshDatabase()
  opened = await openStore({ clickhouseUrl: fresh.url, database: fresh.database })
  app = createApp({ ...opened, stop: stop.signal })
})
afterAll(async () => {
  stop.abort()
  await opened.close()
  await fresh.drop()
})

/** The samples of an app's metrics, by name and labels. */
async function samplesOf(of: Hono): Promise<ReadonlyMap<string, number>> {
  const text = await (await of.request('/metrics')).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

const sumOf = (samples: ReadonlyMap<string, number>, name: string): number =>
  [...samples].reduce((sum, [key, value]) => sum + (key === name || key.startsWith(`${name}{`) ? value : 0), 0)

test.each([
  ['application/openmetrics-text;version=1.0.0,text/plain;q=0.5', 'application/openmetrics-text; version=1.0.0', true],
  ['text/plain;version=0.0.4', 'text/plain; version=0.0.4', false],
  ['*/*', 'text/plain; version=0.0.4', false],
])('Accept: %s returns %s', async (accept, type, hasEnd) => {
  const answer = await app.request('/metrics', { headers: { accept } })
  expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
  expect((await answer.text()).endsWith('\n# EOF\n')).toBe(hasEnd)
})

test('arrivals are counted by protocol, and stored plans as lists count them', async () => {
  const until = Date.now()
  const plans = [...generatePlans({ plans: 40, days: 1, seed: 'route', until })]
  const spans = plans.flatMap((plan) => plan.spans)
  const sender = createSpanSender({
    url: 'http://localhost/v1/traces',
    fetch: async (input, init) => app.request(input instanceof URL ? input.href : input, init),
  })
  await sender.send(spans)
  const [first] = spans
  await sender.send([{ ...first!, startTimeUnixNano: 10n ** 15n, endTimeUnixNano: 10n ** 15n }])
  expect((await app.request('/v1/traces', { method: 'POST' })).status).toBe(415)
  const facets = await opened.store.reader.countFacets()
  const states = Object.fromEntries(facets.facets.state.map(({ value, plans: count }) => [value, count]))
  const plansIn = (samples: ReadonlyMap<string, number>) => sumOf(samples, 'planspan_plans')
  await expect.poll(async () => plansIn(await samplesOf(app)), { timeout: 30_000 }).toBe(facets.plans)
  const samples = await samplesOf(app)
  await sender.send(spans)
  await opened.store.reader.countFacets()
  expect(plansIn(await samplesOf(app))).toBe(facets.plans)
  expect(
    Object.fromEntries(Object.keys(states).map((state) => [state, samples.get(`planspan_plans{state="${state}"}`)])),
  ).toEqual(states)
  expect(samples.get('planspan_spans_received_total')).toBe(spans.length + 1)
  expect(samples.get('planspan_spans_stored_total')).toBe(spans.length)
  expect(samples.get('planspan_spans_refused_total{reason="time_window"}')).toBe(1)
  expect(sumOf(samples, 'planspan_spans_refused_total')).toBe(1)
  expect(samples.get('planspan_otlp_requests_total{protocol="http",code="415"}')).toBe(1)
  expect(samples.get('planspan_span_lag_seconds_count')).toBe(spans.length)
  expect(samples.get('planspan_insert_duration_seconds_count')).toBeGreaterThan(0)
  expect(samples.get('planspan_queue_spans{encoding="json"}')).toBe(0)
  expect(samples.get('planspan_clickhouse_up')).toBe(1)
  expect(samples.get('planspan_indexer_lag_seconds')).toBe(0)
  expect(samples.get('planspan_indexer_failed_traces_total')).toBe(0)
  expect(samples.get('planspan_indexer_pending_rows')).toBe(0)
  expect(samples.get('planspan_indexer_rows_total')).toBeGreaterThanOrEqual(spans.length)
  expect(samples.get('planspan_indexer_written_rows_total')).toBeGreaterThan(0)
})

test('the server’s own counters are reported while ClickHouse is down', async () => {
  const samples = await samplesOf(unreachableApp())
  expect(samples.get('planspan_clickhouse_up')).toBe(0)
  expect(samples.get('planspan_spans_received_total')).toBe(0)
  expect(samples.has('planspan_plans{state="running"}')).toBe(false)
})
