import { status } from '@grpc/grpc-js'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/index.js'
import type { ImportReport } from '../../../src/wire/index.js'
import { temporaryDirectory } from '../../clickhouse/temporary-directory.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { execute } from '../../support/clickhouse.js'
import { byId, GET_TRACES, jaegerClient } from '../jaeger/jaeger-client.js'
import { otlpClient } from '../otlp-client.js'

const record = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
/** The longest time to wait for a response. */
const PATIENCE_MS = 20_000

async function serve(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

const ask = (server: RunningServer, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })

async function importRecord(server: RunningServer) {
  const { records } = (await (
    await ask(server, '/api/records', { method: 'POST', body: record })
  ).json()) as ImportReport
  const [{ planId, traceId }] = records as [ImportReport['records'][number]]
  return { planId, traceId }
}

test('retries a ClickHouse that fails to restart until it succeeds, and reports the reason everywhere meanwhile', async () => {
  const disk = join(temporaryDirectory(), 'disk')
  const server = await serve({ dataDirectory: temporaryDirectory(), coldDirectory: disk, jaegerPort: 0 })
  const { planId } = await importRecord(server)
  renameSync(disk, `${disk}-away`)
  process.kill(server.embedded!.pid, 'SIGKILL')
  await vi.waitFor(() => expect(server.embedded?.failure).toBeDefined(), { timeout: 30_000, interval: 20 })

  const why = expect.stringMatching(/keeps dying.*Mount its disk/s)
  const ready = await ask(server, '/readyz')
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({ status: 'unavailable', code: 'cold_data_missing', reason: why })
  for (const path of ['/api/records', `/api/records/${planId}`, '/api/storage']) {
    const answer = await ask(server, path)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
    expect(await answer.json()).toMatchObject({ code: 'cold_data_missing', detail: why })
  }
  const jaeger = jaegerClient(server.jaegerEndpoint ?? '')
  expect(await jaeger.unary('TraceReader/GetServices')).toMatchObject({ code: status.UNAVAILABLE, details: why })
  expect((await ask(server, '/healthz')).status).toBe(200)

  renameSync(`${disk}-away`, disk)
  await vi.waitFor(async () => expect((await ask(server, '/readyz')).status).toBe(200), { timeout: 45_000 })
  expect(await (await ask(server, `/api/records/${planId}`)).text()).toBe(record)
  expect(await jaeger.unary('TraceReader/GetServices')).toMatchObject({ code: status.OK })
  jaeger.close()
})

test('answers every request while ClickHouse is frozen, and loses nothing', async () => {
  const server = await serve({ dataDirectory: temporaryDirectory(), grpcPort: 0, jaegerPort: 0 })
  const { planId, traceId } = await importRecord(server)
  const jaeger = jaegerClient(server.jaegerEndpoint ?? '')
  const otlp = otlpClient(Number(new URL(server.grpcUrl ?? '').port))
  onTestFinished(() => {
    jaeger.close()
    otlp.close()
  })
  const span = (number: number) => encodeRequest(makeRequest([makeSpan(number)]))
  const send = (number: number) =>
    ask(server, '/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(span(number)),
    })
  const { pid } = server.embedded!
  const reads = [
    '/readyz',
    '/api/records',
    `/api/records/${planId}`,
    `/api/records/${planId}/spans`,
    `/api/records/${planId}/events`,
    `/api/traces/${traceId}/reading`,
    '/api/storage',
  ]
  const details = `/api/executor/details/${planId}`
  expect((await send(0)).status).toBe(200)
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => {
    process.kill(pid, 'SIGCONT')
  })

  const [sent, imported, ...answers] = await Promise.all([
    send(1),
    ask(server, '/api/records', { method: 'POST', body: record }),
    ...reads.map((path) => ask(server, path)),
  ])
  for (const { status, headers } of [sent, imported]) {
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
  }
  for (const answer of answers) {
    const { pathname } = new URL(answer.url)
    const again = pathname === '/readyz' ? null : '5'
    expect([pathname, answer.status, answer.headers.get('retry-after')]).toEqual([pathname, 503, again])
    expect(await answer.text()).toMatch(/has not answered for 5 s, not even a ping|did not answer within 5000 ms/)
  }
  // Like all errors of Lynxe's paths.
  expect((await ask(server, details)).status).toBe(500)
  const [exported, ...calls] = await Promise.all([
    otlp.export(span(2)),
    jaeger.unary('TraceReader/GetServices'),
    jaeger.stream(GET_TRACES, byId(traceId)),
  ])
  expect([exported.code, exported.retryAfter]).toEqual([status.UNAVAILABLE, expect.any(Number)])
  for (const call of calls) {
    expect(call).toMatchObject({ code: status.UNAVAILABLE, details: expect.stringMatching(/has not answered/) })
  }
  expect((await ask(server, '/healthz')).status).toBe(200)

  process.kill(pid, 'SIGCONT')
  await vi.waitFor(async () => expect((await ask(server, '/readyz')).status).toBe(200), { timeout: 30_000 })
  for (const path of [...reads, details]) expect([path, (await ask(server, path)).status]).toEqual([path, 200])
  expect(await (await ask(server, `/api/records/${planId}`)).text()).toBe(record)
  expect((await send(1)).status).toBe(200)
  const stored = await execute(server.clickhouseUrl, 'SELECT DISTINCT SpanId FROM otel.otel_traces')
  expect(stored.split('\n')).toEqual(expect.arrayContaining([makeSpan(0).spanId, makeSpan(1).spanId]))
  expect(server.embedded?.pid).toBe(pid)
})
