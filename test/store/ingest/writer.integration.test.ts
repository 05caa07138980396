import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createStoreClient } from '../../../src/store/client/client.js'
import type { Encoding, WriteRequest } from '../../../src/store/ingest/index.js'
import { freshLanding, type Landing } from './landing.js'
import { encode, makeRequest, makeSpan } from './sample-spans.js'

const STORED = { rejectedSpans: 0, errorMessage: '' }
const NESTED = { attributes: [{ key: 'map', value: { kvlistValue: { values: [] } } }] }

const writeRequest = (encoding: Encoding, spans: Parameters<typeof makeRequest>[0]): WriteRequest => ({
  encoding,
  body: encode(encoding, makeRequest(spans)),
  spans: spans.length,
})

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

let landing: Landing
beforeEach(async () => {
  landing = await freshLanding()
})
afterEach(() => landing.drop())

describe.each(['protobuf', 'json'] as const)('writing %s', (encoding) => {
  it('stores requests that arrive together with few inserts', async () => {
    const writer = landing.writer()
    const requests = range(0, 40).map((number) =>
      writeRequest(encoding, [makeSpan(number * 2), makeSpan(number * 2 + 1)]),
    )
    expect(await Promise.all(requests.map((request) => writer.write(request)))).toEqual(requests.map(() => STORED))
    expect(await landing.count()).toBe(80)
    expect(
      await landing.scalar(`SELECT max(min_block_number = max_block_number AND rows >= 78) FROM system.parts
      WHERE database = '${landing.database}' AND table = 'otel_traces'`),
    ).toBe('1')
  })

  it('stores all spans except those that ClickHouse rejects, and reports the reason', async () => {
    await landing.command(
      `ALTER TABLE ${landing.database}.otel_traces ADD CONSTRAINT no_eight CHECK SpanName != 'span 8'`,
    )
    const writer = landing.writer()
    const good = writeRequest(
      encoding,
      range(0, 5).map((number) => makeSpan(number)),
    )
    const mixed = writeRequest(
      encoding,
      range(5, 12).map((number) => makeSpan(number)),
    )
    const results = await Promise.all([writer.write(good), writer.write(mixed), writer.write(good)])
    const refused = { rejectedSpans: 1, errorMessage: expect.stringContaining('no_eight') }
    expect(results).toEqual([STORED, refused, STORED])
    const stored = `SELECT arraySort(groupUniqArray(toUInt8(SpanAttributes['n']))) FROM ${landing.database}.otel_traces`
    expect(await landing.scalar(stored)).toBe(JSON.stringify(range(0, 12).filter((number) => number !== 8)))
  })

  it('stores the neighbors of a truncated or wrongly counted request', async () => {
    const writer = landing.writer()
    const good = range(0, 6).map((number) => writeRequest(encoding, [makeSpan(number)]))
    const bad = { ...writeRequest(encoding, [makeSpan(6), makeSpan(7)]), spans: 3 }
    const cut = writeRequest(encoding, [makeSpan(8)])
    const all = [...good.slice(0, 3), bad, { ...cut, body: cut.body.subarray(0, -7) }, ...good.slice(3)]
    const results = await Promise.all(all.map((request) => writer.write(request)))
    expect(results.map(({ rejectedSpans }) => rejectedSpans)).toEqual([0, 0, 0, 1, 1, 0, 0, 0])
    expect(await landing.count()).toBe(6 + 2)
  })

  it('finds a rejected span in a large batch', async () => {
    const writer = landing.writer()
    const filler = { attributes: [{ key: 'text', value: { stringValue: 'x'.repeat(20_000) } }] }
    const bad = writeRequest(encoding, [makeSpan(0, NESTED)])
    const large = range(1, 41).map((number) =>
      writeRequest(
        encoding,
        range(number * 50, number * 50 + 25).map((n) => makeSpan(n, filler)),
      ),
    )
    const results = await Promise.all([bad, bad, ...large].map((request) => writer.write(request)))
    expect(results.map(({ rejectedSpans }) => rejectedSpans)).toEqual([1, 1, ...large.map(() => 0)])
    expect(await landing.count()).toBe(1000)
  })

  it('makes smaller inserts if ClickHouse lacks the memory for a large one', async () => {
    const { username, password, origin } = new URL(landing.url)
    const clickhouse_settings = { max_memory_usage: '50000000' }
    const client = createClient({
      url: origin,
      username,
      password,
      clickhouse_settings,
      log: { level: ClickHouseLogLevel.OFF },
    })
    const writer = landing.writer({ client })
    const filler = { attributes: [{ key: 'text', value: { stringValue: 'x'.repeat(1_000_000) } }] }
    const requests = range(0, 16).map((number) => writeRequest(encoding, [makeSpan(number, filler)]))
    expect(await Promise.all(requests.map((request) => writer.write(request)))).toEqual(requests.map(() => STORED))
    expect(await landing.count()).toBe(16)
    await client.close()
  })

  it('stores an insert once when its response was lost and it is sent again', async () => {
    const proxy = await startProxy(landing.url, { loseAnswers: 2 })
    const writer = landing.writer({ client: createStoreClient({ url: proxy.url }), url: proxy.url })
    expect(await writer.write(writeRequest(encoding, [makeSpan(1, PLAN), makeSpan(2, PLAN)]))).toEqual(STORED)
    expect(proxy.inserts()).toBe(3)
    expect(await landing.count()).toBe(2)
    expect(await landing.count('plan_keys')).toBe(1)
    await writer.close()
    proxy.server.close()
  })

  it('reports that ClickHouse does not answer when it never does', async () => {
    const proxy = await startProxy(landing.url, { loseAnswers: 99 })
    const writer = landing.writer({ client: createStoreClient({ url: proxy.url }), url: proxy.url, retries: 2 })
    await expect(writer.write(writeRequest(encoding, [makeSpan(1)]))).rejects.toMatchObject({
      code: 'store_unreachable',
    })
    expect(proxy.inserts()).toBe(3)
    proxy.server.close()
  })

  it('does not blame the spans for other errors', async () => {
    await landing.command(`DROP TABLE ${landing.database}.otel_traces SYNC`)
    const writer = landing.writer()
    const writes = range(0, 3).map((number) => writer.write(writeRequest(encoding, [makeSpan(number)])))
    for (const result of await Promise.allSettled(writes)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'schema_mismatch' } })
    }
  })

  it('rejects spans that do not fit into its queue, and stores the accepted spans on close', async () => {
    const writer = landing.writer({ maxQueuedSpans: 3 })
    const taken = range(0, 3).map((number) => writer.write(writeRequest(encoding, [makeSpan(number)])))
    await expect(writer.write(writeRequest(encoding, [makeSpan(3)]))).rejects.toMatchObject({ code: 'store_busy' })
    await writer.close()
    expect(await Promise.all(taken)).toEqual([STORED, STORED, STORED])
    expect(await landing.count()).toBe(3)
    await expect(writer.write(writeRequest(encoding, [makeSpan(4)]))).rejects.toMatchObject({ code: 'store_busy' })
  })
})

const PLAN = { attributes: [{ key: 'planspan.plan.id', value: { stringValue: 'plan-1' } }], traceId: 'c'.repeat(32) }

/** A proxy to ClickHouse that passes inserts on and loses the first responses to them. */
async function startProxy(target: string, { loseAnswers }: { loseAnswers: number }) {
  let inserts = 0
  const server: Server = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(target)
    const { method, url: path, headers } = incoming
    const number = ++inserts
    incoming.pipe(
      httpRequest({ hostname, port, method, path, headers }, (answer) => {
        if (number > loseAnswers) {
          answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers))
          return
        }
        answer.resume().on('end', () => outgoing.destroy())
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return { server, url: url.href, inserts: () => inserts }
}
