import { status } from '@grpc/grpc-js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { Listener } from '../../../src/server/http/listen.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import type { SpanIntake } from '../../../src/server/intake/span-intake.js'
import { encodeLogs } from '../../otlp/encode-logs.js'
import { LOGS, METRICS, otlpClient, type OtlpClient } from '../otlp-client.js'

const write = vi.fn<SpanIntake['writer']['write']>(async () => ({ rejectedSpans: 0, errorMessage: '' }))
const intake: SpanIntake = { writer: { check: () => {}, write } }

let listener: Listener
let client: OtlpClient

beforeEach(async () => {
  listener = await listenOtlp(intake, { host: '127.0.0.1', port: 0 })
  client = otlpClient(listener.port)
})
afterEach(async () => {
  client.close()
  await listener.close(AbortSignal.abort())
})

const metrics = {
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'agent' } }] },
      scopeMetrics: [
        {
          metrics: [
            { name: 'a', sum: { dataPoints: [{ asInt: '1' }, { asDouble: 2.5 }], isMonotonic: true } },
            { name: 'b', histogram: { dataPoints: [{ count: '3', bucketCounts: ['1', '2'] }] } },
          ],
        },
      ],
    },
  ],
}

it('rejects all data points of metrics with advice, and no sender tries again', async () => {
  const headers = { 'content-type': 'application/json' }
  const send = (body: unknown) =>
    otlpRoute(intake).request('/v1/metrics', { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await send(metrics)
  expect(response.status).toBe(200)
  const { partialSuccess } = (await response.json()) as { partialSuccess: Record<string, string> }
  expect(partialSuccess).toEqual({
    rejectedDataPoints: '3',
    errorMessage: expect.stringMatching(
      /^3 data points refused: planspan stores no metrics.*OTEL_METRICS_EXPORTER=none/,
    ),
  })
  expect(await (await send({})).json()).toEqual({})
  expect((await send({ resourceMetrics: 1 })).status).toBe(400)
  const dataPoint = Buffer.of(10, 8, 18, 6, 18, 4, 42, 2, 10, 0)
  const answer = await client.export(dataPoint, METRICS)
  expect(answer.code).toBe(status.OK)
  expect(String(answer.response)).toContain('1 data point refused: ')
})

it('hands log records to the writer as such, and rejects those with an invalid id', async () => {
  const logs = {
    resourceLogs: [
      { scopeLogs: [{ logRecords: [{ body: { stringValue: 'a' } }, { traceId: 'ab' }, { spanId: 'zz' }] }] },
    ],
  }
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(logs) }
  expect(await (await otlpRoute(intake).request('/v1/logs', sent)).json()).toEqual({
    partialSuccess: {
      rejectedLogRecords: '2',
      errorMessage: expect.stringContaining('1 log record refused: its traceId'),
    },
  })
  expect(write.mock.lastCall?.[0]).toMatchObject({ signal: 'logs', encoding: 'json', spans: 1 })
  expect(await client.export(encodeLogs(logs), LOGS)).toMatchObject({ code: status.OK })
  expect(write.mock.lastCall?.[0]).toMatchObject({ signal: 'logs', encoding: 'protobuf', spans: 2 })
})
