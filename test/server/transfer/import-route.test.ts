import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'

import { PlanspanError } from '../../../src/error.js'
import { encodeRecords } from '../../../src/mapping/index.js'
import { receive } from '../../../src/otlp/index.js'
import { BodyReader } from '../../../src/server/http/body-reader.js'
import { importRoute, type ImportRouteOptions } from '../../../src/server/transfer/import-route.js'
import type { WriteRequest, WriteResult } from '../../../src/store/ingest/index.js'
import { createSpanSender } from '../../../src/sender/index.js'
import type { ImportReport, Problem } from '../../../src/wire/index.js'
import { storedRequest } from '../../otlp/stored-request.js'
import { BAD_FILES } from '../../support/bad-files.js'

const plan = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url))
const runs = readFileSync(new URL('../../fixtures/review-log/plan_run_record.jsonl', import.meta.url))
const STORED: WriteResult = { rejectedSpans: 0, errorMessage: '' }

/** The route over a writer that records its input and returns the given result. */
function route(
  answer: (request: WriteRequest) => WriteResult = () => STORED,
  options: Partial<ImportRouteOptions> = {},
) {
  const written: WriteRequest[] = []
  const writer = {
    write: async (request: WriteRequest) => {
      written.push(request)
      return answer(request)
    },
  }
  const app = importRoute({ writer, ...options })
  const post = async (body: Uint8Array | string, query = '', headers: Record<string, string> = {}) => {
    const response = await app.request(`/api/records${query}`, { method: 'POST', body, headers })
    return { status: response.status, response, report: (await response.json()) as ImportReport & Partial<Problem> }
  }
  return { app, written, post }
}

/** A record of agents without any usage. */
const agents = (count: number): string =>
  `{"planId":"p","userRequest":"","agentExecutionSequence":[{}${',{}'.repeat(count - 1)}]}`

const spansOf = ({ body }: WriteRequest): { traceId: string; spanId: string }[] =>
  JSON.parse(Buffer.from(body).toString()).resourceSpans[0].scopeSpans[0].spans

describe('POST /api/records', () => {
  test('writes the spans of every record and reports the format of each', async () => {
    const { post, written } = route()
    const { status, report } = await post(Buffer.concat([plan, Buffer.from('\n'), runs]), '?source=s')
    const expected = [...encodeRecords(Buffer.concat([plan, Buffer.from('\n'), runs]), { source: 's' })]
    expect(status).toBe(200)
    expect(report).toEqual({
      records: expected.map(({ planId, traceId, dialect, key, spans }) => ({
        planId,
        traceId,
        dialect,
        key,
        spans: spans.length,
      })),
      refused: [],
      refusedCount: 0,
    })
    expect(report.records.length).toBeGreaterThan(1)
    expect(written.flatMap(spansOf).map(({ spanId }) => spanId)).toEqual(
      expected.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)),
    )
  })

  describe.each([
    ['a record of more spans', agents(131_073), 'record_too_large', 'more than 131072 spans'],
    ['a record of more values', agents(2_097_152), 'record_too_large', 'more than 2097152 JSON values'],
    ['more records', '{}\n'.repeat(262_145), 'request_too_large', 'more than 262144 records'],
  ])('%s than allowed', (_, file, code, detail) => {
    test('is rejected with 413', { timeout: 180_000 }, async () => {
      const { post, written } = route()
      const { status, report } = await post(file, '?keepGoing=true')
      expect([status, report.code, report.detail]).toEqual([413, code, expect.stringContaining(detail)])
      expect(written).toEqual([])
    })
  })

  test('accepts gzip', async () => {
    const { report } = await route().post(gzipSync(plan), '', { 'content-encoding': 'gzip' })
    expect(report.records).toMatchObject([{ planId: 'plan-1767061562002', dialect: 'plan-execution', spans: 4 }])
  })

  test('reads times without a zone in the given zone', async () => {
    const [berlin, utc] = await Promise.all([route().post(plan, '?timeZone=Europe/Berlin'), route().post(plan)])
    expect(berlin.report.records[0]?.traceId).toBe([...encodeRecords(plan, { timeZone: 'Europe/Berlin' })][0]?.traceId)
    expect(berlin.report.records[0]?.traceId).not.toBe(utc.report.records[0]?.traceId)
  })

  test('masks the same secrets as an import of the command line, and lists their fields', async () => {
    const secret = plan.toString().replace('Please fill', 'password=hunter2hunter2 Please fill')
    const { post, written } = route()
    const { status, report } = await post(secret, '?redact=true&source=s')
    const [record] = [...encodeRecords(Buffer.from(secret), { source: 's', redacted: true })]
    expect(status).toBe(200)
    expect(report.records).toMatchObject([{ planId: record?.planId, traceId: record?.traceId }])
    const sent: Uint8Array[] = []
    const sender = createSpanSender({
      url: 'http://localhost/v1/traces',
      redact: {},
      fetch: async (_, init) => {
        const received = receive('json', gunzipSync(init?.body as Uint8Array))
        if (received.ok) sent.push(received.request.body)
        return Response.json({})
      },
    })
    await sender.send(record?.spans ?? [])
    expect(written.map(({ body }) => storedRequest(body))).toEqual(sent.map(storedRequest))
    const text = Buffer.from(written[0]?.body ?? []).toString()
    expect(text).not.toContain('hunter2')
    expect(text).toContain('planspan.redacted_fields')
  })

  test('splits a large record over several requests', async () => {
    const { post, written } = route()
    const large = plan.toString().replaceAll('Please fill', 'x'.repeat(5_000_000))
    expect((await post(large)).status).toBe(200)
    expect(written.length).toBeGreaterThan(1)
    expect(written.reduce((sum, { spans }) => sum + spans, 0)).toBe(4)
  })

  test.each(Object.entries(BAD_FILES))('rejects %s, reports where and why, and writes nothing', async (_, bad) => {
    const { post, written } = route()
    const { status, report, response } = await post(bad.bytes)
    expect(status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(report).toMatchObject({
      status: 400,
      code: bad.code,
      detail: expect.stringMatching(new RegExp(`^Nothing was imported\\..* on line ${bad.line}: `)),
      records: [],
    })
    expect(report.refused[0]).toEqual({ line: bad.line, code: bad.code, detail: expect.stringMatching(bad.message) })
    expect(written).toEqual([])
  })

  const mixed = `${plan.toString()}\n{"broken":\n${plan.toString()}\n{"a":1}\n`

  test('writes nothing of a file with a malformed record', async () => {
    const { post, written } = route()
    const { status, report } = await post(mixed)
    expect(status).toBe(400)
    expect(report.records).toEqual([])
    expect(report.refused.map(({ line, code }) => [line, code])).toEqual([
      [2, 'invalid_record'],
      [4, 'unknown_dialect'],
    ])
    expect(written).toEqual([])
  })

  test('writes the good records of a file with continue', async () => {
    const { post, written } = route()
    const { status, report } = await post(mixed, '?keepGoing=true')
    expect(status).toBe(207)
    expect(report.records).toHaveLength(2)
    expect(report.refused.map(({ line }) => line)).toEqual([2, 4])
    expect(written).toHaveLength(2)
  })

  test('lists the first thousand malformed records of a file, and stops there when nothing is to be imported', async () => {
    const { post, written } = route()
    const { status, report } = await post('{}\n'.repeat(100_000))
    expect(status).toBe(400)
    expect(report.refused).toHaveLength(1_000)
    expect(report.detail).toMatch(/More than 1000 records were refused, the first on line 1: /)
    expect(written).toEqual([])
  })

  test('counts all malformed records of a file beside the good ones', async () => {
    const { post, written } = route()
    const { status, report } = await post(`${'{}\n'.repeat(1_500)}${plan.toString()}`, '?keepGoing=true')
    expect(status).toBe(207)
    expect(report.records).toHaveLength(1)
    expect(report.refused).toHaveLength(1_000)
    expect(report.refusedCount).toBe(1_500)
    expect(written).toHaveLength(1)
  })

  test('does nothing for a client that disconnected while it waited for its turn', async () => {
    const ends: (() => void)[] = []
    const writer = { write: () => new Promise<WriteResult>((resolve) => ends.push(() => resolve(STORED))) }
    const app = importRoute({ writer })
    const post = (signal?: AbortSignal) =>
      app.request('/api/records', { method: 'POST', body: plan, ...(signal ? { signal } : {}) })
    const first = post()
    await vi.waitFor(() => expect(ends).toHaveLength(1))
    const gone = new AbortController()
    const second = post(gone.signal)
    const third = post()
    gone.abort()
    ends[0]?.()
    expect((await first).status).toBe(200)
    expect((await second).status).toBe(400)
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    ends[1]?.()
    expect((await third).status).toBe(200)
  })

  test('rejects records whose spans exceed the limit, and writes nothing', async () => {
    const { post, written } = route(undefined, { maxSpanBytes: 10_000 })
    const { status, report } = await post(`${plan.toString()}\n`.repeat(5))
    expect(status).toBe(413)
    expect(report).toMatchObject({
      code: 'usage',
      detail: expect.stringMatching(/more than 10000 bytes.*several requests/),
    })
    expect(written).toEqual([])
    expect((await post(plan)).status).toBe(200)
  })

  test('stores a record with times out of range, with its spans on the first day of the range', async () => {
    const times = { from: BigInt(Date.UTC(2030, 0)) * 1_000_000n, until: BigInt(Date.UTC(2031, 0)) * 1_000_000n }
    const { post, written } = route(undefined, { spanTimes: () => times })
    const { status, report } = await post(plan)
    expect([status, report.refusedCount]).toEqual([200, 0])
    const starts = written.flatMap(spansOf).map((span) => (span as { startTimeUnixNano?: string }).startTimeUnixNano)
    expect(new Set(starts)).toEqual(new Set(['0']))
  })

  test('rejects a whole record if the retention would drop one of its spans', async () => {
    const { post, written } = route(undefined, { refuseBefore: () => BigInt(Date.UTC(2026, 0)) * 1_000_000n })
    const { status, report } = await post(plan)
    expect(status).toBe(400)
    expect(report.refused).toEqual([{ line: 1, code: 'invalid_record', detail: expect.stringMatching(/retention/) }])
    expect(written).toEqual([])
  })

  test('reports a record that the store itself rejected', async () => {
    const { post } = route(() => ({ rejectedSpans: 1, errorMessage: 'ClickHouse refused it.' }))
    const { status, report } = await post(plan)
    expect(status).toBe(207)
    expect(report).toEqual({
      records: [],
      refused: [{ line: 1, code: 'invalid_record', detail: 'ClickHouse refused it.' }],
      refusedCount: 1,
    })
  })

  test.each([
    ['?format=odd', /format: /],
    ['?timezone=UTC', /timezone is unknown here \(known: format, source, timeZone, redact, keepGoing\)/],
    ['?timeZone=Mars/Olympus', /Unknown time zone "Mars\/Olympus"/],
    ['?keepGoing=yes', /keepGoing: /],
  ])('reports %s as wrong usage', async (query, message) => {
    const { app } = route()
    app.onError((error, c) =>
      c.json({ code: error instanceof PlanspanError && error.code, detail: error.message }, 400),
    )
    const response = await app.request(`/api/records${query}`, { method: 'POST', body: plan })
    expect(await response.json()).toEqual({ code: 'usage', detail: expect.stringMatching(message) })
  })

  test.each([
    [413, { 'content-length': '5000' }, /more than 100 bytes/],
    [415, { 'content-encoding': 'br' }, /Content-Encoding is br/],
    [400, { 'content-encoding': 'gzip' }, /not gzip/],
  ])('returns %i for a body with %j', async (status, headers, detail) => {
    const { post } = route(undefined, { bodies: new BodyReader({ maxBytes: 100 }) })
    const result = await post(plan.subarray(0, 50), '', headers as Record<string, string>)
    expect(result).toMatchObject({ status, report: { code: 'usage', detail: expect.stringMatching(detail) } })
  })

  test('rejects pages of other origins', async () => {
    const { app, written } = route()
    const send = (origin: string) =>
      app.request('http://localhost/api/records', { method: 'POST', body: plan, headers: { origin } })
    expect((await send('https://example.org')).status).toBe(403)
    expect((await send('null')).status).toBe(403)
    expect(written).toEqual([])
    expect((await send('http://localhost')).status).toBe(200)
  })
})
