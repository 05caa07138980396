import { status } from '@grpc/grpc-js'
import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Listener } from '../../../src/server/http/listen.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import type { SpanIntake } from '../../../src/server/intake/span-intake.js'
import { METRICS, otlpClient, type OtlpClient } from '../otlp-client.js'

const intake: SpanIntake = {
  writer: { check: () => {}, write: async ({ spans }) => ({ rejectedSpans: spans, errorMessage: 'is not stored' }) },
}

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
