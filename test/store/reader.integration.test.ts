import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { createStore } from '../../src/store/index.js'
import { collectSpans } from '../../src/store/records/read-spans.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { agentAttributes, insertSpans, nanos, planAttributes } from './spans.js'

let { store, fresh, index, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, index, close } = await freshStore())
})

afterAll(() => close())

describe('readTrace', () => {
  it('returns a span value for value, including nanoseconds', async () => {
    await store.client.command({
      query: `INSERT INTO ${fresh.database}.otel_traces
        VALUES ('2026-03-04 12:00:00.123456789', 'full', 's', 'r', 'a=1', 'chat m', 'Client', 'shop',
          {'service.name': 'shop', 'host': 'h'}, 'planspan', '1', {'n': '9007199254740993', 't': 'ü "q" \\\\ \\n', '': 'empty'},
          1000000001, 'Error', 'boom', ['2026-03-04 12:00:00.123456790'], ['exception'], [{'k': 'v'}],
          ['lt'], ['ls'], ['x=y'], [{'l': '1'}])`,
    })
    const start = nanos(123) + 456_789n
    expect(await store.reader.readTrace('full')).toEqual([
      {
        traceId: 'full',
        spanId: 's',
        parentSpanId: 'r',
        name: 'chat m',
        kind: 'Client',
        serviceName: 'shop',
        scopeName: 'planspan',
        startTimeUnixNano: start,
        endTimeUnixNano: start + 1_000_000_001n,
        statusCode: 'ERROR',
        statusMessage: 'boom',
        resourceAttributes: { 'service.name': 'shop', host: 'h' },
        attributes: { n: '9007199254740993', t: 'ü "q" \\ \n', '': 'empty' },
        events: [{ timeUnixNano: start + 1n, name: 'exception', attributes: { k: 'v' } }],
        links: [{ traceId: 'lt', spanId: 'ls', attributes: { l: '1' } }],
      },
    ])
  })

  it('returns each span once, over days and copies, and no spans of other traces', async () => {
    const spans = Array.from({ length: 40 }, (_, i) => ({
      traceId: 'many',
      spanId: `s${String(i).padStart(2, '0')}`,
      start: i * 40_000_000 + 999,
    }))
    await insertSpans(store.client, fresh.database, spans)
    await insertSpans(store.client, fresh.database, [...spans, { traceId: 'other', spanId: 'o' }])
    const read = await store.reader.readTrace('many')
    expect(read.map(({ spanId }) => spanId).sort()).toEqual(spans.map(({ spanId }) => spanId))
  })

  it('finds spans that were stored before minutes were recorded, also after more spans of the trace arrive', async () => {
    const lookup = `${fresh.database}.otel_traces_trace_id_ts`
    const spans = ['a', 'b', 'c'].map((spanId, i) => ({ traceId: 'older', spanId, start: i * 300_000 }))
    await insertSpans(store.client, fresh.database, spans.slice(0, 2))
    await store.client.command({ query: `DELETE FROM ${lookup} WHERE TraceId = 'older'` })
    await store.client.command({
      query: `INSERT INTO ${lookup} (TraceId, Start, End) VALUES ('older', '2026-03-04 12:00:00', '2026-03-04 12:05:00')`,
    })
    await insertSpans(store.client, fresh.database, spans.slice(2))
    await store.client.command({ query: `OPTIMIZE TABLE ${lookup} FINAL` })
    const read = await store.reader.readTrace('older')
    expect(read.map(({ spanId }) => spanId).sort()).toEqual(['a', 'b', 'c'])
  })

  it('keeps the end of a span that ends before it starts', async () => {
    await insertSpans(store.client, fresh.database, [{ traceId: 'back', spanId: 's', start: 10, duration: -4 }])
    expect(await store.reader.readTrace('back')).toMatchObject([
      { startTimeUnixNano: nanos(10), endTimeUnixNano: nanos(6) },
    ])
  })

  it('tolerates a duplicate attribute and an attribute that is named __proto__', async () => {
    await store.client.command({
      query: `INSERT INTO ${fresh.database}.otel_traces (Timestamp, TraceId, SpanId, SpanAttributes)
        SELECT '2026-03-04 12:00:00', 'odd', 's', CAST([('k', '1'), ('k', '2'), ('__proto__', 'x')], 'Map(LowCardinality(String), String)')`,
    })
    const [span] = await store.reader.readTrace('odd')
    expect(Object.entries(span?.attributes ?? {})).toEqual([
      ['k', '2'],
      ['__proto__', 'x'],
    ])
  })

  it('returns nothing for an unknown trace', async () => {
    expect(await store.reader.readTrace('nothing')).toEqual([])
  })
})

describe('findTraces', () => {
  it('finds traces by any key, the latest first', async () => {
    await insertSpans(store.client, fresh.database, [
      { traceId: 'k1', spanId: 'a', attributes: agentAttributes('sub', 'root', 'step') },
      { traceId: 'k2', spanId: 'a', start: 5000, attributes: agentAttributes('sub', 'root', 'step') },
    ])
    for (const [kind, key] of [
      ['plan', 'sub'],
      ['plan.root', 'root'],
      ['step', 'step'],
    ] as const) {
      expect(await store.reader.findTraces({ kind, key })).toEqual(['k2', 'k1'])
    }
    expect(await store.reader.findTraces({ kind: 'tool_call', key: 'step' })).toEqual([])
  })
})

describe('a read-only user', () => {
  it('can run every read', async () => {
    const reading = createStore({ url: inject('clickhouseReaderUrl'), database: fresh.database })
    await insertSpans(store.client, fresh.database, [{ traceId: 'ro', spanId: 'a', attributes: agentAttributes('ro') }])
    await index()
    expect(await reading.reader.readTrace('ro')).toHaveLength(1)
    expect(await reading.reader.selectTrace('ro')).toMatchObject({ traceId: 'ro' })
    expect((await reading.reader.listPlans({ since: 0n })).plans.map(({ planId }) => planId)).toContain('ro')
    expect((await reading.ping()).version).toMatch(/^\d+\.\d+/)
    await reading.close()
  })
})

describe('errors', () => {
  it('name the URL at which nothing answers, without its password', async () => {
    const gone = createStore({ url: 'http://user:secret@127.0.0.1:1' })
    const error: unknown = await gone.reader.listPlans().catch((error: unknown) => error)
    expect(error).toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('http://user@127.0.0.1:1') as string,
    })
    expect(String(error)).not.toContain('secret')
    await expect(gone.migrate()).rejects.toMatchObject({ code: 'store_unreachable' })
    await gone.close()
  })

  it('report a wrong password', async () => {
    const url = new URL(fresh.url)
    url.password = 'wrong'
    const refused = createStore({ url: url.href, database: fresh.database })
    await expect(refused.ping()).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('password') as string,
    })
    await refused.close()
  })

  it('name the command that creates a missing database or table', async () => {
    const missing = createStore({ url: fresh.url, database: 'nowhere' })
    await expect(missing.reader.readTrace('t')).rejects.toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringMatching(/planspan serve --clickhouse .* --database nowhere/) as string,
    })
    await missing.close()
  })

  it.each(['127.0.0.1:9000', 'tcp://127.0.0.1:9000', ''])('reject %j as a URL', (url) => {
    expect(() => createStore({ url })).toThrow(/not a ClickHouse URL/)
  })
})

describe('ping', () => {
  it('reports the version and the clock skew', async () => {
    const { version, clockDifferenceMs } = await store.ping()
    expect(version).toMatch(/^\d+\.\d+/)
    expect(Math.abs(clockDifferenceMs)).toBeLessThan(1000)
  })
})

describe('streamRows', () => {
  it('does not block other reads while it waits for its consumer', async () => {
    const large = 'x'.repeat(1 << 20)
    const spans = Array.from({ length: 40 }, (_, i) => ({ traceId: 'large', spanId: `s${i}`, attributes: { large } }))
    await insertSpans(store.client, fresh.database, spans)
    const streams = Array.from({ length: 12 }, () => store.reader.streamRows(['large']))
    try {
      const begun = streams.map((stream) => stream.next())
      expect(await Promise.race([store.ping(), after(20_000)])).toHaveProperty('version')
      await Promise.all(begun)
    } finally {
      await Promise.all(streams.map((stream) => stream.return()))
    }
  })
})

describe('streamOnlyTrace', () => {
  const read = async (planId: string) => {
    const spans = await collectSpans(store.reader.streamOnlyTrace(planId))
    return spans.map(({ spanId }) => spanId).sort()
  }

  it('reads the whole trace of a plan or sub-plan, and nothing if several traces have it', async () => {
    const sub = (planId: string) => planAttributes({ planId, rootPlanId: 'its-root' })
    await insertSpans(store.client, fresh.database, [
      { traceId: 'alone', spanId: 'root', attributes: planAttributes({ planId: 'its-root' }) },
      { traceId: 'alone', spanId: 'sub', attributes: sub('its-sub') },
      { traceId: 'alone', spanId: 'late', start: 10 * 60_000 },
      { traceId: 'alone', spanId: 'shared', attributes: sub('shared') },
      { traceId: 'another', spanId: 'shared', attributes: planAttributes({ planId: 'shared' }) },
    ])
    for (const planId of ['its-root', 'its-sub']) expect(await read(planId)).toEqual(['late', 'root', 'shared', 'sub'])
    expect(await read('shared')).toEqual([])
    expect(await read('unknown')).toEqual([])
  })
})

const after = (milliseconds: number) => setTimeout(milliseconds, 'too late', { ref: false })
