import { status } from '@grpc/grpc-js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { Listener } from '../../../src/server/http/listen.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import { UntakenSignals, type SpanIntake } from '../../../src/server/intake/span-intake.js'
import { LOGS, METRICS, otlpClient, type OtlpClient } from '../otlp-client.js'

const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})

let intake: SpanIntake & { untaken: UntakenSignals }
let listener: Listener
let client: OtlpClient

beforeEach(async () => {
  warn.mockClear()
  const writer = { check: () => {}, write: () => Promise.reject(new Error('unreachable')) }
  intake = { writer, untaken: new UntakenSignals() }
  listener = await listenOtlp(intake, { host: '127.0.0.1', port: 0 })
  client = otlpClient(listener.port)
})
afterEach(async () => {
  client.close()
  await listener.close(AbortSignal.abort())
})

it.each([
  ['logs', LOGS],
  ['metrics', METRICS],
] as const)('%s are refused for good, with what to do, over HTTP and gRPC', async (signal, service) => {
  const app = otlpRoute(intake)
  const post = (type: string) =>
    app.request(`/v1/${signal}`, { method: 'POST', headers: { 'content-type': type }, body: Buffer.of(10, 0) })
  const response = await post('application/json')
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json'])
  const { code, message } = (await response.json()) as { code: number; message: string }
  expect(code).toBe(status.UNIMPLEMENTED)
  expect(message).toContain(`OTEL_${signal.toUpperCase()}_EXPORTER=none`)
  expect((await post('application/x-protobuf')).headers.get('content-type')).toBe('application/x-protobuf')
  expect(await client.export(Buffer.of(10, 0), service)).toEqual({ code: status.UNIMPLEMENTED, details: message })
})

it('are logged by the server once each, whatever the protocol', async () => {
  const app = otlpRoute(intake)
  for (let i = 0; i < 2; i++) {
    await app.request('/v1/logs', { method: 'POST' })
    await client.export(new Uint8Array(), LOGS)
    await client.export(new Uint8Array(), METRICS)
  }
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    expect.stringContaining('OTEL_LOGS_EXPORTER=none'),
    expect.stringContaining('OTEL_METRICS_EXPORTER=none'),
  ])
})
