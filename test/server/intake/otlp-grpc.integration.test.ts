import { status } from '@grpc/grpc-js'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as HttpExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { narrow } from '../../../src/otlp/index.js'
import { listen, type Listener } from '../../../src/server/http/listen.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import { createSpanWriter, type SpanWriter } from '../../../src/store/ingest/index.js'
import { createStore } from '../../../src/store/index.js'
import { encodeRequest, type RequestJson } from '../../otlp/encode-request.js'
import { freshLanding, type Landing } from '../../store/ingest/landing.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { otlpClient } from '../otlp-client.js'

const ADDRESS = { host: '127.0.0.1', port: 0 }

let landing: Landing
let writer: SpanWriter
let listener: Listener
beforeEach(async () => {
  landing = await freshLanding()
  writer = landing.writer()
  listener = await listenOtlp({ writer }, ADDRESS)
})
afterEach(async () => {
  await listener.close(AbortSignal.abort())
  await writer.close()
  await landing.drop()
})

/** Spans as an agent's SDK has them when it exports. */
async function sdkSpans(): Promise<ReadableSpan[]> {
  const memory = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] })
  const tracer = provider.getTracer('agent', '1.0')
  const attributes = { 'planspan.plan.id': 'p', list: ['a', 'b'], score: 0.5, count: 3, done: true, text: '计划 🗺️' }
  const span = tracer.startSpan('execute_tool browse', { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT)
  span.addEvent('found', { count: 3 }).setStatus({ code: SpanStatusCode.ERROR, message: 'gone' }).end()
  const linked = tracer.startSpan('chat', { links: [{ context: span.spanContext(), attributes: { why: 'x' } }] })
  linked.end()
  await provider.forceFlush()
  return memory.getFinishedSpans()
}

const exported = (exporter: SpanExporter, spans: ReadableSpan[]) =>
  new Promise((resolve) => {
    exporter.export(spans, resolve)
  })

describe("OpenTelemetry's own exporter", () => {
  it.each(['none', 'gzip'])('stores over gRPC the same rows as over HTTP (compression %s)', async (compression) => {
    const spans = await sdkSpans()
    const grpc = new GrpcExporter({ url: `http://127.0.0.1:${listener.port}`, compression: compression as never })
    expect(await exported(grpc, spans)).toEqual({ code: 0 })
    const overGrpc = await landing.values()
    expect(overGrpc).toHaveLength(2)
    await grpc.shutdown()

    const other = await freshLanding()
    const otherWriter = other.writer()
    const server = await listen(otlpRoute({ writer: otherWriter }).fetch, ADDRESS)
    const http = new HttpExporter({ url: `http://127.0.0.1:${server.port}/v1/traces` })
    expect(await exported(http, spans)).toEqual({ code: 0 })
    expect(overGrpc).toEqual(await other.values())
    await http.shutdown()
    await server.close(AbortSignal.abort())
    await otherWriter.close()
    await other.drop()
  })
})

it('rows match those that the collector stores, value for value', async () => {
  const fixture = (name: string) =>
    readFileSync(new URL(`../../fixtures/collector-rows/${name}`, import.meta.url), 'utf8')
  const client = otlpClient(listener.port, 'gzip')
  const request = encodeRequest(JSON.parse(fixture('request.otlp.json')) as RequestJson)
  expect(await client.export(request)).toMatchObject({ code: status.OK })
  expect(await landing.rows()).toEqual(fixture('rows.jsonl').split('\n').filter(Boolean).sort())
  client.close()
})

it('each acknowledged span of two concurrent clients is stored once', async () => {
  const clients = [otlpClient(listener.port), otlpClient(listener.port, 'gzip')]
  const sent = Array.from({ length: 40 }, (_, i) =>
    clients[i % 2]!.export(encodeRequest(makeRequest([makeSpan(2 * i), makeSpan(2 * i + 1)]))),
  )
  expect(new Set((await Promise.all(sent)).map(({ code }) => code))).toEqual(new Set([status.OK]))
  expect(await landing.count()).toBe(80)
  for (const client of clients) client.close()
})

it('a sender is identified by its connection and its resource', async () => {
  const writes = vi.spyOn(writer, 'write')
  const clients = [otlpClient(listener.port), otlpClient(listener.port)]
  for (const client of clients) {
    for (const number of [1, 2]) await client.export(encodeRequest(makeRequest([makeSpan(number)])))
    client.close()
  }
  const marks = writes.mock.calls.map(([, sender]) => sender)
  expect(marks[0]).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/), expect.stringMatching(/^127\.0\.0\.1 ./)])
  expect(marks[1]).toEqual(marks[0])
  expect(marks[2]?.[0]).not.toBe(marks[0]?.[0])
  expect(marks[2]?.[1]).toBe(marks[0]?.[1])
})

it('a client is asked to retry while ClickHouse does not answer', async () => {
  // Port 1 is tcpmux, which no machine has run for decades.
  const url = 'http://planspan:secret@127.0.0.1:1'
  const store = createStore({ url })
  const cut = createSpanWriter({ client: store.client, url, database: 'otel', narrow, retries: 0 })
  const down = await listenOtlp({ writer: cut }, ADDRESS)
  const client = otlpClient(down.port)
  expect(await client.export(encodeRequest(makeRequest([makeSpan(1)])))).toMatchObject({
    code: status.UNAVAILABLE,
    details: expect.stringMatching(/does not answer \(ECONNREFUSED\)/) as string,
    retryAfter: 5,
  })
  client.close()
  await down.close(AbortSignal.abort())
  await store.close()
})
