import { serve } from '@hono/node-server'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { otlpRoute } from '../../../src/server/intake/otlp-route.js'
import { freshLanding, type Landing } from '../../store/ingest/landing.js'

let landing: Landing
beforeEach(async () => {
  landing = await freshLanding()
})
afterEach(() => landing.drop())

describe.each([
  ['protobuf', ProtobufExporter],
  ['JSON', JsonExporter],
] as const)("OpenTelemetry's own exporter with %s", (_, Exporter) => {
  it.each(['none', 'gzip'])(
    'has its spans stored when its export is acknowledged (compression %s)',
    async (compression) => {
      const writer = landing.writer()
      const server = serve({ fetch: otlpRoute({ writer }).fetch, hostname: '127.0.0.1', port: 0 })
      await new Promise((resolve) => server.once('listening', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
      const exporter = new Exporter({ url, compression: compression as never })
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
      const span = provider.getTracer('agent', '1.0').startSpan('execute_tool browse', {
        kind: SpanKind.CLIENT,
        attributes: { 'planspan.plan.id': 'p', list: ['a', 'b'], score: 0.5 },
      })
      span.addEvent('found', { count: 3 }).setStatus({ code: SpanStatusCode.ERROR, message: 'gone' }).end()
      await provider.forceFlush()
      expect(await landing.values()).toMatchObject([
        [
          expect.any(String),
          span.spanContext().traceId,
          span.spanContext().spanId,
          '',
          '',
          'execute_tool browse',
          'Client',
          expect.stringContaining('unknown_service'),
          expect.any(Array),
          'agent',
          '1.0',
          [
            ['list', '["a","b"]'],
            ['planspan.plan.id', 'p'],
            ['score', '0.5'],
          ],
          expect.any(String),
          'Error',
          'gone',
          [expect.any(String)],
          ['found'],
          [[['count', '3']]],
          [],
          [],
          [],
          [],
        ],
      ])
      await provider.shutdown()
      server.close()
      await writer.close()
    },
  )
})
