import { afterAll, beforeAll, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { ATTR, PENDING } from '../../../src/semconv/index.js'
import { type CallTotal, createStoreMetrics } from '../../../src/store/metrics/index.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { startTestApp, type TestApp } from '../../server/test-app.js'
import { insertSpans, type TestSpan } from '../spans.js'

const PLANS = { plans: 200, days: 2, seed: 'metrics', until: Date.UTC(2026, 2, 4) }

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
  await server.send([...generatePlans(PLANS)].flatMap(({ spans }) => spans))
})
afterAll(() => server.close())

const target = () => {
  const { client, database } = server.store
  return { client, database, url: 'http://127.0.0.1' }
}

/** What is told after all that has come is counted, by a server that has begun just now. */
async function totals(): Promise<CallTotal[]> {
  const { calls } = createStoreMetrics(target())
  await calls.update()
  return calls.read()
}

const query = async <Row>(sql: string): Promise<Row[]> => {
  const result = await server.store.client.query({
    query: sql.replaceAll('@', server.store.database),
    format: 'JSONEachRow',
  })
  return result.json<Row>()
}

/** Those of the spans as they are stored, each once, without the product's views. */
const OWN_CALLS = `
  SELECT
    argMax(SpanAttributes['gen_ai.provider.name'], Timestamp) AS provider,
    argMax(SpanAttributes['gen_ai.request.model'], Timestamp) AS model,
    argMax(SpanAttributes['gen_ai.response.model'], Timestamp) AS responseModel,
    argMax(multiIf(SpanAttributes['error.type'] != '', SpanAttributes['error.type'], StatusCode = 'Error', '_OTHER', ''), Timestamp) AS errorType,
    any(Duration) AS took,
    any(Duration = 0 AND SpanAttributes['planspan.time.synthetic'] = 'true') AS untimed,
    any(toUInt64OrNull(SpanAttributes['gen_ai.usage.input_tokens'])) AS tokensIn,
    any(toUInt64OrNull(SpanAttributes['gen_ai.usage.output_tokens'])) AS tokensOut
  FROM @.otel_traces
  WHERE SpanAttributes['gen_ai.operation.name'] = 'chat' AND SpanAttributes['planspan.span.state'] != 'pending'
  GROUP BY TraceId, SpanId`

interface Counted {
  readonly measure: string
  readonly provider: string
  readonly model: string
  readonly responseModel: string
  readonly errorType: string
  readonly calls: number
  readonly sum: number
}

const counted = (all: readonly CallTotal[]): Counted[] =>
  all
    .map(({ sizes: { counts, sum }, ...told }) => ({ ...told, calls: counts.at(-1) ?? 0, sum: Math.round(sum * 1e6) }))
    .toSorted(byText)

const byText = (one: object, other: object): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

async function bySql(): Promise<Counted[]> {
  const labels = 'provider, model, responseModel'
  const rows = await query<Counted>(`
    SELECT measure, ${labels}, errorType, toUInt32(count()) AS calls, toFloat64(round(sum(size) * 1000000)) AS sum
    FROM (
      SELECT 'duration' AS measure, ${labels}, errorType, took / 1000000000 AS size FROM (${OWN_CALLS}) WHERE NOT untimed
      UNION ALL
      SELECT 'input', ${labels}, '', toFloat64(tokensIn) FROM (${OWN_CALLS}) WHERE isNotNull(tokensIn)
      UNION ALL
      SELECT 'output', ${labels}, '', toFloat64(tokensOut) FROM (${OWN_CALLS}) WHERE isNotNull(tokensOut)
    )
    GROUP BY measure, ${labels}, errorType`)
  return rows.toSorted(byText)
}

/** What is stored of a call beside its snapshots, by the way a collector writes it. */
const call = (at: number, fields: Partial<TestSpan> = {}): TestSpan => ({
  traceId: `call-${String(at)}`,
  spanId: `span-${String(at)}`,
  name: 'chat m',
  start: at * 1000,
  duration: 250,
  ...fields,
  attributes: {
    [ATTR.planId]: `plan ${String(at)}`,
    [ATTR.operationName]: 'chat',
    [ATTR.spanKind]: 'llm',
    [ATTR.requestModel]: 'm',
    ...fields.attributes,
  },
})

const insert = (...spans: TestSpan[]) => insertSpans(server.store.client, server.store.database, spans)
const durations = (all: readonly CallTotal[], model: string): readonly number[] =>
  all.find(({ measure, model: its }) => measure === 'duration' && its === model)?.sizes.counts ?? []
const sumOf = (all: readonly CallTotal[]): number =>
  counted(all).reduce((sum, { measure, calls }) => sum + (measure === 'duration' ? calls : 0), 0)
const callsOf = async (model: string): Promise<number> => durations(await totals(), model).at(-1) ?? 0

test('model calls are counted as SQL counts them, by a server that begins and one that goes on', async () => {
  const { calls } = createStoreMetrics(target())
  expect(await calls.update()).toBe(true)
  const all = counted(await calls.read())
  expect(all).toEqual(await bySql())
  expect(all.length).toBeGreaterThan(10)
  expect(await calls.update()).toBe(false)
  expect(counted(await totals())).toEqual(all)
  await server.send([...generatePlans({ ...PLANS, plans: 20, seed: 'late' })].flatMap(({ spans }) => spans))
  expect(await calls.update()).toBe(true)
  expect(counted(await calls.read())).toEqual(await bySql())
  expect(counted(await calls.read())).not.toEqual(all)
})

test('spans that come again count once, before and after their rows are merged', async () => {
  const before = counted(await totals())
  await server.send([...generatePlans(PLANS)].flatMap(({ spans }) => spans))
  expect(counted(await totals())).toEqual(before)
  await server.store.client.command({ query: `OPTIMIZE TABLE ${server.store.database}.otel_traces FINAL` })
  expect(counted(await totals())).toEqual(before)
})

test('a call that goes on does not count, and counts once when it has ended', async () => {
  const open = { [ATTR.requestModel]: 'going-on' }
  await insert(
    call(1, {
      spanId: 'snapshot',
      parentSpanId: 'span-1',
      duration: 1,
      attributes: { ...open, [ATTR.spanState]: PENDING, [ATTR.pendingSpanId]: 'span-1', [ATTR.snapshotSeq]: '0' },
    }),
  )
  expect(await callsOf('going-on')).toBe(0)
  await insert(call(1, { attributes: open }))
  expect(await callsOf('going-on')).toBe(1)
})

test('a call is counted at each bound that it does not exceed', async () => {
  const attributes = { [ATTR.requestModel]: 'sized' }
  const sizes = [0, 10, 11, 1280, 90_000]
  await insert(...sizes.map((duration, at) => call(100 + at, { duration, attributes })))
  expect(durations(await totals(), 'sized')).toEqual([2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5])
})

test('what turns out otherwise moves no count down, and counts no call twice', async () => {
  const attributes = { [ATTR.requestModel]: 'changing' }
  await insert(call(200, { duration: 100, attributes }))
  expect(durations(await totals(), 'changing')).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  await insert(call(200, { duration: 1000, attributes }))
  expect(durations(await totals(), 'changing')).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  await insert(call(200, { duration: 15, attributes }))
  expect(durations(await totals(), 'changing')).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
})

test('other instrumentations’ calls count, each once', async () => {
  const before = sumOf(await totals())
  const shown = 'SELECT toUInt32(count()) AS calls FROM @.model_calls WHERE isNotNull(DurationMs)'
  const [had] = await query<{ calls: number }>(shown)
  const headers = { 'content-type': 'application/json' }
  for (const { file } of [...FOREIGN_TRACES, ...FOREIGN_TRACES]) {
    await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
  }
  const [now] = await query<{ calls: number }>(shown)
  expect(sumOf(await totals()) - before).toBe((now?.calls ?? 0) - (had?.calls ?? 0))
  expect((now?.calls ?? 0) - (had?.calls ?? 0)).toBeGreaterThan(20)
})

test('what is dropped or erased has been counted, and what comes late is', async () => {
  const before = counted(await totals())
  for (const table of ['otel_traces', 'foreign_spans']) {
    await server.store.client.command({
      query: `ALTER TABLE ${server.store.database}.${table} DELETE WHERE toHour(Timestamp) % 2 = 0`,
      clickhouse_settings: { mutations_sync: '2' },
    })
  }
  await server.store.client.command({
    query: `ALTER TABLE ${server.store.database}.otel_traces DROP PARTITION '2026-03-03'`,
  })
  expect(counted(await totals())).toEqual(before)
  const attributes = { [ATTR.requestModel]: 'late' }
  await insert(call(300, { start: -86_400_000, attributes }))
  expect(await callsOf('late')).toBe(1)
})

test('names that somebody makes up are told apart no further than there is room', async () => {
  const names = Array.from({ length: 1500 }, (_, at) => `made-up-${String(at)}`)
  const before = (await totals()).length
  await insert(
    ...names.map((model, at) => call(1000 + at, { start: 400_000, attributes: { [ATTR.requestModel]: model } })),
  )
  const all = await totals()
  expect(all.length).toBeLessThanOrEqual(1001)
  const named = all.filter(({ model }) => model.startsWith('made-up-')).length
  expect(named).toBe(1000 - before)
  expect(await callsOf('_OTHER')).toBe(1500 - named)
  await insert(call(5000, { attributes: { [ATTR.requestModel]: 'one-more' } }))
  await insert(call(5001, { attributes: { [ATTR.requestModel]: 'made-up-0' } }))
  expect(await callsOf('_OTHER')).toBe(1500 - named + 1)
})
