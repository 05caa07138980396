import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'

import { startServer, type RunningServer } from '../../src/server/index.js'
import { request } from '../otlp/arbitrary-request.js'
import { encodeRequest, type RequestJson } from '../otlp/encode-request.js'
import { freshLanding, type Landing } from '../store/ingest/landing.js'
import { startCollector, type Collector } from './collector.js'
import { differences } from './row-differences.js'
import { grpcSender, sendHttp } from './send.js'

const fixture = readFileSync(new URL('../fixtures/collector-rows/request.otlp.json', import.meta.url), 'utf8')
const seed = Math.trunc(Math.random() * 2 ** 31)
const requests = [JSON.parse(fixture) as RequestJson, ...fc.sample(request, { numRuns: 300, seed })]
const count = requests
  .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans))
  .reduce((sum, { spans = [] }) => sum + spans.length, 0)

const toJson = (body: RequestJson) => Buffer.from(JSON.stringify(body))

let stored: Landing
let received: Landing
let collector: Collector
let server: RunningServer

beforeAll(async () => {
  stored = await freshLanding()
  received = await freshLanding()
  collector = await startCollector({ clickhouse: { ...stored, nativePort: inject('clickhouseNativePort') } })
  server = await startServer({ clickhouse: received.url, database: received.database, port: 0 })
})
afterAll(async () => {
  await collector.remove()
  await server.close()
  await stored.drop()
  await received.drop()
})
beforeEach(async () => {
  for (const { client, database } of [stored, received]) {
    await client.command({ query: `TRUNCATE TABLE ${database}.otel_traces` })
  }
})

const sendProtobuf = (url: string) =>
  Promise.all(requests.map((body) => sendHttp(url, encodeRequest(body), { type: 'application/x-protobuf' })))

const sendJson = (url: string) =>
  Promise.all(requests.map((body) => sendHttp(url, toJson(body), { type: 'application/json', gzip: true })))

/** Waits for all spans to be stored on both roads; answers how their rows differ, of all columns. */
async function compare(road: string): Promise<string[]> {
  await vi.waitFor(async () => expect(await stored.count()).toBe(count), { timeout: 30_000, interval: 100 })
  expect(await received.count()).toBe(count)
  const found = differences({ collector: await stored.values(), receiver: await received.values() })
  process.stdout.write(`${road}: ${requests.length} requests, ${count} spans, ${found.length} differences\n`)
  return found.slice(0, 10)
}

describe('the collector and the receiver write the same rows for the same requests', () => {
  it.each([
    ['protobuf', sendProtobuf],
    ['JSON, gzip', sendJson],
  ])('HTTP, %s', async (road, send) => {
    await Promise.all([send(collector.url), send(server.url)])
    expect(await compare(`HTTP, ${road}`), `seed ${seed}`).toEqual([])
  })

  it.each([
    ['gRPC', false],
    ['gRPC, gzip', true],
  ])('%s to the collector, HTTP to the receiver', async (road, gzip) => {
    const grpc = grpcSender(collector.grpc, { gzip })
    await Promise.all([...requests.map((body) => grpc.send(encodeRequest(body))), sendProtobuf(server.url)])
    grpc.close()
    expect(await compare(road), `seed ${seed}`).toEqual([])
  })
})
