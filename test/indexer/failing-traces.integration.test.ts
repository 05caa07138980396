import { afterEach, beforeEach, expect, test } from 'vitest'

import { Indexer, type IndexerStatus } from '../../src/indexer/index.js'
import { ATTR, llmFields } from '../../src/semconv/index.js'
import { noteFailures } from '../../src/store/index.js'
import { freshStore, type FreshStore } from '../store/fresh-store.js'
import { agentAttributes, insertSpans, planAttributes, type TestSpan } from '../store/spans.js'

let opened: FreshStore

beforeEach(async () => {
  opened = await freshStore()
})

afterEach(() => opened.close())

const TRACE = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)
const spanId = (n: number) => n.toString(16).padStart(16, '0')

const send = (spans: readonly TestSpan[]) => insertSpans(opened.store.client, opened.fresh.database, [...spans])

const planSpan = (traceId: string, more: Record<string, string> = {}): TestSpan => ({
  traceId,
  spanId: spanId(1),
  attributes: { ...planAttributes({ planId: `plan-${traceId[0]!}`, state: 'completed' }), ...more },
})

const agentSpan = (traceId: string, n: number): TestSpan => ({
  traceId,
  spanId: spanId(n),
  parentSpanId: spanId(1),
  attributes: agentAttributes(`plan-${traceId[0]!}`),
})

const openTool = (traceId: string, n: number): TestSpan => ({
  traceId,
  spanId: spanId(n + 4096),
  parentSpanId: spanId(n),
  attributes: {
    [ATTR.spanKind]: 'tool',
    [ATTR.planId]: `plan-${traceId[0]!}`,
    [ATTR.spanState]: 'pending',
    [ATTR.snapshotSeq]: '0',
  },
})

/** Indexes the stored spans with a new indexer. */
async function index(maxSpans?: number): Promise<IndexerStatus> {
  const errors: unknown[] = []
  const { store, fresh } = opened
  const target = { client: store.client, url: fresh.url, database: fresh.database }
  const onError = (error: unknown) => void errors.push(error)
  const indexer = new Indexer({ target, onError, ...(maxSpans === undefined ? {} : { maxSpans }) })
  indexer.start()
  await indexer.catchUp()
  await indexer.close()
  expect(errors).toEqual([])
  return indexer.status
}

async function read(sql: string): Promise<unknown[]> {
  const query = sql.replace(' FROM ', ` FROM ${opened.fresh.database}.`)
  const rows = await (await opened.store.client.query({ query, format: 'JSONCompactEachRow' })).json<unknown[]>()
  return rows.map((row) => (row.length === 1 ? row[0] : row))
}

const FAILURES = 'SELECT TraceId, Reason FROM index_failures FINAL ORDER BY TraceId'

test('a trace with too many spans is indexed by its outline, in any order of its spans and after each restart', async () => {
  await send([agentSpan(TRACE, 2), openTool(TRACE, 3), planSpan(OTHER)])
  expect((await index(5)).failedTraces).toBe(0)
  expect(await read('SELECT DISTINCT toString(Role) AS Role FROM span_rows FINAL ORDER BY Role')).toEqual([
    'agent',
    'tool',
  ])

  await send([4, 5, 6, 7].map((n) => openTool(TRACE, n)))
  expect((await index(5)).failedTraces).toBe(1)
  expect(await read('SELECT DISTINCT toString(Role) AS Role FROM span_rows FINAL ORDER BY Role')).toEqual(['agent'])
  expect(await read(FAILURES)).toEqual([[TRACE, 'The trace has more than 5 spans; it is indexed by its outline.']])

  // Later spans of the outline count, and the reason is not recorded again.
  await send([planSpan(TRACE), agentSpan(TRACE, 3), openTool(TRACE, 8)])
  expect((await index(5)).failedTraces).toBe(0)
  expect(await read('SELECT TraceId, State, PlanSpan, Spans FROM plan_rows FINAL ORDER BY TraceId')).toEqual([
    [TRACE, 'completed', 2, 3],
    [OTHER, 'completed', 2, 1],
  ])
  expect(await read('SELECT count() FROM span_rows FINAL')).toEqual(['2'])
})

test('a trace that can be mapped again is no longer recorded as failing', async () => {
  const { store, fresh } = opened
  await send([planSpan(TRACE)])
  const [target, failure] = [{ client: store.client, url: fresh.url, database: fresh.database }, 'An earlier rule']
  await noteFailures(target, [{ traceId: TRACE, version: 1n, reason: failure }])
  expect(await read(FAILURES)).toEqual([[TRACE, failure]])
  await index()
  expect(await read(FAILURES)).toEqual([])
})

test('numbers and times that do not fit into any column do not stop the indexer', async () => {
  const attributes = { ...agentAttributes('plan-a'), [ATTR.spanKind]: 'llm' }
  await send([
    planSpan(TRACE),
    ...[2, 3].map((n) => ({
      ...agentSpan(TRACE, n),
      duration: -5,
      attributes: { ...attributes, [llmFields.inputTokens.key]: '9'.repeat(30) },
    })),
    {
      ...planSpan(OTHER),
      attributes: planAttributes({ planId: 'plan-b', snapshot: 0, heartbeatMs: Number.MAX_SAFE_INTEGER }),
    },
  ])
  expect((await index()).failedTraces).toBe(0)
  expect(
    await read(
      'SELECT State, toString(toYear(InterruptedAt)), InputTokens > 1e15 FROM plan_rows FINAL ORDER BY TraceId',
    ),
  ).toEqual([
    ['completed', null, 1],
    ['planning', '2262', 0],
  ])
})
