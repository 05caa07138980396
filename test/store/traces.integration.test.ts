import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { ATTR, spanName } from '../../src/semconv/index.js'
import { createStore, type FinalSpan, type Store, type TraceReader } from '../../src/store/index.js'
import { freshDatabase } from '../support/clickhouse.js'
import { indexAll } from '../support/index-all.js'
import { insertSpans, nanos, type TestSpan } from './spans.js'
import { DAY, HOUR, openTraceStore, snapshot, traceId, traceName, type TraceStore } from './trace-store.js'

let opened: TraceStore
let store: Store
const insert = (spans: TestSpan[]) => opened.insert(spans)

beforeAll(async () => {
  opened = await openTraceStore()
  store = opened.store
})
afterAll(() => opened.close())

async function finalSpans(id: string, traces: TraceReader = store.traces): Promise<FinalSpan[]> {
  const spans: FinalSpan[] = []
  for await (const some of traces.streamTraces([id])) spans.push(...some)
  return spans
}

describe('services and operations', () => {
  it('lists each name once, sorted, despite duplicates', async () => {
    const spans: TestSpan[] = [
      { traceId: 'names', spanId: 'a', name: 'chat gpt', service: 'names-b' },
      { traceId: 'names', spanId: 'b', name: 'execute_tool search', service: 'names-b', start: 40 * DAY },
      { traceId: 'names', spanId: 'c', name: 'chat gpt', service: 'names-a' },
      { traceId: 'names', spanId: 'd', name: 'GET /', service: '' },
    ]
    await insert(spans)
    await insert(spans)
    await opened.index()
    const services = await store.traces.services()
    expect(services).not.toContain('')
    expect(services.filter((name) => name.startsWith('names'))).toEqual(['names-a', 'names-b'])
    expect(await store.traces.operations('names-b')).toEqual([
      { name: 'chat gpt', kind: 'Internal' },
      { name: 'execute_tool search', kind: 'Internal' },
    ])
    expect(await store.traces.operations('names-b', 'Client')).toEqual([])
    expect(await store.traces.operations('none')).toEqual([])
  })
})

describe('streamTraces', () => {
  beforeAll(async () => {
    const spans: TestSpan[] = [
      { traceId: 'stream', spanId: 'a' },
      { traceId: 'stream', spanId: 'b', parentSpanId: 'a', start: 3 * DAY },
      { traceId: 'stream', spanId: 'c', parentSpanId: 'a', attributes: snapshot() },
    ]
    await insert(spans)
    await insert(spans)
  })

  it('returns each ended span once', async () => {
    expect((await finalSpans(traceId('stream'))).map(({ spanId }) => spanId).sort()).toEqual(['a', 'b'])
    expect(await finalSpans(traceId('none'))).toEqual([])
  })
})

describe('streamTraces of several traces', () => {
  const parts = async (names: readonly string[]) => {
    const read: [name: string, spans: string[]][] = []
    for await (const spans of store.traces.streamTraces(names.map(traceId))) {
      const name = traceName(spans[0]!.traceId)
      expect(spans.map((span) => traceName(span.traceId))).toEqual(spans.map(() => name))
      if (read.at(-1)?.[0] !== name) read.push([name, []])
      read.at(-1)![1].push(...spans.map(({ spanId }) => spanId))
    }
    return read.map(([name, ids]) => [name, ids.sort()])
  }

  it('returns more traces than one query reads, in the given order, each once', async () => {
    const names = Array.from({ length: 250 }, (_, i) => `many-${i}`)
    const spans = names.flatMap((name, i): TestSpan[] => [
      { traceId: name, spanId: 'a', start: -i * HOUR },
      { traceId: name, spanId: 'b', parentSpanId: 'a', start: -i * HOUR + 3 * DAY },
      { traceId: name, spanId: 'c', parentSpanId: 'a', start: -i * HOUR, attributes: snapshot() },
    ])
    await insert(spans)
    await insert(spans)
    const wanted = [...names.toReversed(), 'none', ...names.slice(0, 3)]
    expect(await parts(wanted)).toEqual(names.toReversed().map((name) => [name, ['a', 'b']]))
  })

  it('returns traces that are too large to buffer among smaller traces', async () => {
    const names = ['small-1', 'huge-1', 'small-2', 'huge-2', 'huge-3', 'small-3', 'small-4']
    const text = 'x'.repeat(3_000_000)
    for (const name of names) {
      const ids = name.startsWith('huge') ? ['a', 'b', 'c', 'd', 'e', 'f'] : ['a']
      await insert(ids.map((spanId): TestSpan => ({ traceId: name, spanId, attributes: { text } })))
    }
    expect(await parts(names)).toEqual(
      names.map((name) => [name, name.startsWith('huge') ? ['a', 'b', 'c', 'd', 'e', 'f'] : ['a']]),
    )
  })
})

describe('summarizeTraces', () => {
  it('counts each stored span once', async () => {
    const spans: TestSpan[] = [
      { traceId: 'sum', spanId: 'r', name: 'invoke_workflow trip', service: 'sum-a', start: 5, duration: 20 },
      { traceId: 'sum', spanId: 'c', parentSpanId: 'r', service: 'sum-b', start: 6, duration: 30, status: 'Error' },
      { traceId: 'sum', spanId: 'o', parentSpanId: 'gone', service: 'sum-b', start: 4, duration: -2 },
      { traceId: 'sum', spanId: 'p', parentSpanId: 'r', service: 'sum-a', attributes: snapshot() },
      { traceId: 'rootless', spanId: 'x', parentSpanId: 'gone', name: 'chat', service: 'sum-a', start: 9 },
      { traceId: 'rootless', spanId: 'y', parentSpanId: 'x', name: 'early', service: 'sum-b', start: 1 },
    ]
    await insert(spans)
    await insert(spans)
    const summaries = await store.traces.summarizeTraces([traceId('rootless'), traceId('none'), traceId('sum')])
    expect(summaries).toEqual([
      expect.objectContaining({ traceId: traceId('rootless'), rootService: 'sum-a', rootName: 'chat', orphans: 1 }),
      {
        traceId: traceId('sum'),
        rootService: 'sum-a',
        rootName: 'invoke_workflow trip',
        start: nanos(4),
        end: nanos(36),
        spans: 3,
        errors: 1,
        orphans: 1,
        services: [
          { name: 'sum-a', spans: 1, errors: 0 },
          { name: 'sum-b', spans: 2, errors: 1 },
        ],
      },
    ])
  })
})

describe('dependencies', () => {
  it('counts calls between services in the interval', async () => {
    const spans: TestSpan[] = [
      { traceId: 'dep', spanId: 'r', service: 'dep-a', start: -500 * DAY },
      { traceId: 'dep', spanId: 'a', parentSpanId: 'r', service: 'dep-b', start: -500 * DAY },
      { traceId: 'dep', spanId: 'b', parentSpanId: 'r', service: 'dep-b', start: -500 * DAY },
      { traceId: 'dep', spanId: 'c', parentSpanId: 'b', service: 'dep-b', start: -500 * DAY },
      { traceId: 'dep', spanId: 'd', parentSpanId: 'gone', service: 'dep-c', start: -500 * DAY },
      { traceId: 'dep', spanId: 'p', parentSpanId: 'r', service: 'dep-b', start: -500 * DAY, attributes: snapshot() },
    ]
    await insert(spans)
    await insert(spans)
    const at = (days: number) => nanos(days * DAY)
    expect(await store.traces.dependencies({ since: at(-501), until: at(-499) })).toEqual([
      { parent: 'dep-a', child: 'dep-b', calls: 2n },
      { parent: 'dep-b', child: 'dep-b', calls: 1n },
    ])
    expect(await store.traces.dependencies({ since: at(-503), until: at(-502) })).toEqual([])
    const all = await store.traces.dependencies()
    expect(all).toContainEqual({ parent: 'dep-a', child: 'dep-b', calls: 2n })
  })
})

describe('Distributed tables', () => {
  it('return the same as the tables of one server, even if two shards have the same spans', async () => {
    const [own, distributed] = [await freshDatabase(), await freshDatabase()]
    const { username, password } = new URL(own.url)
    // Two names of the same server, whose native port acts as two shards.
    const shards = `127.0.0.1:${inject('clickhouseNativePort')},localhost:${inject('clickhouseNativePort')}`
    const [local, cluster] = [createStore(own), createStore(distributed)]
    await local.migrate()
    const tables = [
      'otel_traces',
      'otel_traces_trace_id_ts',
      'plan_keys',
      'plan_rows',
      'span_rows',
      'service_operations',
    ]
    for (const table of tables) {
      await local.client.command({
        query: `CREATE TABLE ${distributed.database}.${table}
          AS remote('${shards}', ${own.database}, ${table}, '${username}', '${decodeURIComponent(password)}')`,
      })
    }
    const id = traceId('shards')
    const attributes = { [ATTR.planId]: 'shards' }
    await insertSpans(local.client, own.database, [
      { traceId: id, spanId: 'r', service: 'shards', attributes },
      { traceId: id, spanId: 'c', parentSpanId: 'r', service: 'shards', status: 'Error', start: DAY },
      { traceId: id, spanId: 'p', parentSpanId: 'r', service: 'shards', attributes: snapshot(attributes) },
      {
        traceId: id,
        spanId: 'g',
        parentSpanId: 'r',
        name: spanName('guardrail'),
        service: 'shards',
        attributes: {
          ...attributes,
          [ATTR.spanKind]: 'guardrail',
          [ATTR.riskIsSafe]: 'false',
          [ATTR.riskActionTaken]: 'false',
        },
      },
    ])
    await indexAll({ client: local.client, ...own })
    const answers = async ({ traces }: Store) => ({
      services: await traces.services(),
      operations: await traces.operations('shards'),
      newest: await traces.searchTraces({ service: 'shards', limit: 10 }),
      byPlan: await traces.searchTraces({ attributes: new Map(Object.entries(attributes)), limit: 10 }),
      spans: (await finalSpans(id, traces)).map(({ spanId, unsafeAction }) => [spanId, unsafeAction?.taken]).sort(),
      summaries: await traces.summarizeTraces([id]),
      dependencies: await traces.dependencies(),
    })
    const expected = await answers(local)
    expect(expected.spans).toEqual([
      ['c', undefined],
      ['g', false],
      ['r', undefined],
    ])
    expect(expected.byPlan).toHaveLength(1)
    expect(await answers(cluster)).toEqual(expected)
    await Promise.all([local.close(), cluster.close()])
    await distributed.drop()
    await own.drop()
  })
})

describe('a read-only user', () => {
  it('serves an up-to-date database, and leaves its expiry unchanged', async () => {
    const retaining = createStore({ ...opened.fresh, retentionDays: 3650 })
    const reading = createStore({ url: inject('clickhouseReaderUrl'), database: opened.fresh.database })
    try {
      await insert([{ traceId: 'reader', spanId: 'a', service: 'reader' }])
      await opened.index()
      await retaining.migrate()
      await reading.migrate()
      expect(await reading.traces.services()).toEqual(await store.traces.services())
      expect(await reading.traces.searchTraces({ service: 'reader', limit: 1 })).toMatchObject([
        { traceId: traceId('reader') },
      ])
      expect(await reading.traces.dependencies()).toEqual(await store.traces.dependencies())
      const { createTable } = await showTable()
      expect(createTable).toContain('toIntervalDay(3650)')
    } finally {
      await Promise.all([retaining.close(), reading.close()])
    }
  })
})

async function showTable(): Promise<{ createTable: string }> {
  const result = await store.client.query({
    query: `SELECT engine_full AS createTable FROM system.tables WHERE database = '${opened.fresh.database}' AND name = 'otel_traces'`,
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ createTable: string }>()
  return row!
}
