import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { expect, onTestFinished, test } from 'vitest'

import { encodeRequest } from '../otlp/encode-request.js'
import { byId, GET_TRACES, jaegerClient } from '../server/jaeger/jaeger-client.js'
import { TRACES } from '../server/otlp-client.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'
import { execute, freshDatabase } from '../support/clickhouse.js'
import { startReceiver } from '../tracing/otlp-receiver.js'
import { runCli, startServe } from './run-cli.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const sampled = { traceparent: `00-${TRACE}-${PARENT}-01` }

interface OwnSpan {
  readonly name: string
  readonly kind: string
  readonly trace: string
  readonly id: string
  readonly parent: string
  readonly status: string
  readonly attributes: Readonly<Record<string, string>>
}

/** A server with its own database. */
async function serving(args: readonly string[]) {
  const { url, database, drop } = await freshDatabase()
  const server = await startServe(['--clickhouse', url, '--database', database, ...args])
  onTestFinished(async () => {
    if (server.child.exitCode === null) await server.end('SIGKILL')
    await drop()
  })
  const spans = async (): Promise<OwnSpan[]> => {
    const columns =
      'SpanName AS name, SpanKind AS kind, TraceId AS trace, SpanId AS id, ParentSpanId AS parent, ' +
      'StatusCode AS status, SpanAttributes AS attributes'
    const own = `SELECT ${columns} FROM ${database}.otel_traces WHERE ServiceName = 'planspan' ORDER BY Timestamp`
    const lines = await execute(url, `${own} FORMAT JSONEachRow`)
    return lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as OwnSpan)
  }
  return { ...server, url: server.line.url, spans }
}

test('a server exports traces of its own work to another one, within its clients’ traces; the receiver does not trace the export', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const second = await serving(['--trace-endpoint', receiver.endpoint])
  const first = await serving(['--trace-endpoint', second.url, '--grpc-port', '0', '--jaeger-port', '0'])
  const span = makeSpan(1, { traceId: 'ab'.repeat(16), name: 'secret' })
  const body = encodeRequest(makeRequest([span]))
  const send = (headers: Record<string, string>) =>
    fetch(`${first.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', ...headers },
      body,
    })
  expect((await send({ ...sampled, 'x-request-id': 'of-spans' })).status).toBe(200)
  expect((await send({ traceparent: `00-${'cd'.repeat(16)}-${PARENT}-00` })).status).toBe(200)
  expect(
    (await fetch(`${first.url}/api/traces/${'ab'.repeat(16)}/reading?secret=1`, { headers: sampled })).status,
  ).toBe(200)
  expect((await fetch(`${first.url}/secret`, { headers: sampled })).status).toBe(404)
  expect(await exportOverGrpc(first.line.grpcUrl!, body)).toBe(0)
  const jaeger = jaegerClient(first.line.jaegerEndpoint!)
  onTestFinished(() => jaeger.close())
  expect((await jaeger.stream(GET_TRACES, byId('ab'.repeat(16)))).code).toBe(0)
  expect(await first.end('SIGTERM')).toEqual([0, null])

  const requestsOf = (spans: OwnSpan[]) => spans.filter(({ kind }) => kind === 'Server')
  const names = async () => requestsOf(await second.spans()).map(({ name }) => name)
  // Acknowledged spans may not be in the tables yet.
  await expect
    .poll(async () => (await names()).sort(), { timeout: 10_000 })
    .toEqual([
      'GET',
      'GET /api/traces/{traceId}/reading',
      'POST /v1/traces',
      'jaeger.storage.v2.TraceReader/GetTraces',
      `${TRACES}/Export`,
    ])
  const spans = await second.spans()
  const requests = requestsOf(spans)
  const below = ({ id }: OwnSpan) => spans.filter(({ parent }) => parent === id)
  const of = (name: string) => requests.find((one) => one.name === name)!
  const spansRequest = of('POST /v1/traces')
  expect(spansRequest).toMatchObject({
    trace: TRACE,
    parent: PARENT,
    status: 'Unset',
    attributes: {
      'http.route': '/v1/traces',
      'http.response.status_code': '200',
      'http.response.header.x-request-id': '["of-spans"]',
    },
  })
  for (const sending of [spansRequest, of(`${TRACES}/Export`)]) {
    const [insert, ...more] = below(sending).filter(({ name }) => name === 'insert spans')
    expect(more).toEqual([])
    expect(insert?.attributes).toMatchObject({ 'planspan.insert.requests': '1', 'planspan.insert.spans': '1' })
    expect(below(insert!).map(({ name }) => name)).toEqual(['clickhouse.exec'])
  }
  const rebuilds = below(of('GET /api/traces/{traceId}/reading')).filter(({ name }) => name.startsWith('rebuild '))
  expect(rebuilds).toHaveLength(1)
  expect(below(rebuilds[0]!).map(({ name }) => name)).toContain('clickhouse.exec')
  expect(below(of('jaeger.storage.v2.TraceReader/GetTraces')).map(({ name }) => name)).toContain('clickhouse.exec')
  expect(spans.filter(({ trace }) => trace === 'cd'.repeat(16))).toEqual([])
  // The traces contain no stored data, parameters or queries.
  expect(JSON.stringify(spans.map(({ attributes, name }) => ({ ...attributes, 'url.path': '', name })))).not.toMatch(
    /secret|SELECT/,
  )

  // The second server exports its own traces, but not those that it received.
  expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
  expect(await second.end('SIGTERM')).toEqual([0, null])
  expect(receiver.spanNames()).toEqual(['GET /healthz'])
})

async function exportOverGrpc(url: string, body: Uint8Array): Promise<number> {
  const client = new Client(new URL(url).host, credentials.createInsecure())
  onTestFinished(() => client.close())
  const metadata = new Metadata()
  metadata.set('traceparent', sampled.traceparent)
  const asIs = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    client.makeUnaryRequest(`/${TRACES}/Export`, asIs, asIs, Buffer.from(body), metadata, (error) =>
      resolve(error?.code ?? 0),
    )
  })
}

test.each([
  ['are refused', { status: 400 }],
  ['are never answered', { isSilent: true }],
])('a server whose traces %s continues to work, and exits in time', async (_, answer) => {
  const receiver = await startReceiver(() => answer)
  onTestFinished(() => receiver.close())
  const { url, end } = await serving(['--trace-endpoint', receiver.endpoint])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(await end('SIGTERM')).toEqual([0, null])
  expect(receiver.spanNames()).toEqual(['GET /healthz'])
})

test.each([
  ['its own port', ['--port', '45317', '--trace-endpoint', 'http://localhost:45317'], 'is this server itself'],
  [
    'its own port of all addresses',
    ['--port', '45317', '--host', '0.0.0.0', '--open', '--plain-http', '--trace-endpoint', 'http://127.0.0.1:45317/x'],
    'is this server itself',
  ],
  ['no URL', ['--trace-endpoint', 'localhost:4318'], 'takes the URL of an OTLP receiver'],
])('its own traces are not sent to %s', async (_, args, said) => {
  const { code, err } = await runCli(['serve', ...args])
  expect(code).toBe(2)
  expect(err).toContain(said)
})
