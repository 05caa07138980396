import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'

import { startServer, type RunningServer } from '../../src/server/index.js'
import { PendingSpanProcessor, PlanspanProcessor, startPlan, wrapExporter } from '../../src/tracing/index.js'
import { freshLanding, type Landing } from '../store/ingest/landing.js'
import { startCollector, type Collector } from './collector.js'
import { freePorts } from './free-ports.js'
import { countWhole, makeRecords, requestOf } from './load.js'
import { sendHttp } from './send.js'

let stored: Landing
let server: RunningServer

beforeEach(async () => {
  stored = await freshLanding()
  server = await startServer({ clickhouse: stored.url, database: stored.database, port: 0 })
})
afterEach(async () => {
  await server.close()
  await stored.drop()
})

/** A collector with both exporters; `jaeger` is the host:port of the Jaeger endpoint. */
async function startBoth(jaeger: string): Promise<Collector> {
  const collector = await startCollector({
    configs: ['agent.yaml', 'to-jaeger.yaml'],
    clickhouse: { ...stored, nativePort: inject('clickhouseNativePort') },
    env: { JAEGER_ENDPOINT: jaeger },
  })
  onTestFinished(() => collector.remove())
  return collector
}

/** A server that accepts connections and never responds. */
async function startSilence(): Promise<string> {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  return `127.0.0.1:${(listener.address() as AddressInfo).port}`
}

const lostByJaeger = async (collector: Collector) => {
  const metrics = [...(await collector.metrics())]
  return metrics.find(([name]) => /^otelcol_exporter_send_failed_spans.*otlp_grpc\/jaeger/.test(name))?.[1]
}

describe('a Jaeger beside ClickHouse', () => {
  it('receives the finished spans and no snapshot; ClickHouse receives all', async () => {
    // A second collector replaces Jaeger: it keeps every span that it receives.
    const other = await freshLanding()
    onTestFinished(() => other.drop())
    const jaeger = await startCollector({ clickhouse: { ...other, nativePort: inject('clickhouseNativePort') } })
    onTestFinished(() => jaeger.remove())
    const collector = await startBoth(jaeger.grpc)

    const exporter = wrapExporter(new OTLPTraceExporter({ url: `${collector.url}/v1/traces` })) as SpanExporter
    const provider = new BasicTracerProvider({
      spanProcessors: [new PlanspanProcessor(), new PendingSpanProcessor(new BatchSpanProcessor(exporter))],
    })
    trace.setGlobalTracerProvider(provider)
    onTestFinished(() => trace.disable())
    const p = startPlan({ workflow: 'trip' })
    const a = p.startAgent({ name: 'researcher', step: 0 })
    await provider.forceFlush()
    a.end()
    p.end()
    await provider.shutdown()

    const names = ({ database, scalar }: Landing, which: string) =>
      scalar(`SELECT arraySort(groupArray(SpanName)) FROM ${database}.otel_traces WHERE ${which}`)
    const finished = `['invoke_agent researcher','invoke_workflow trip']`
    await vi.waitFor(async () => expect(await names(other, '1')).toBe(finished), { timeout: 60_000, interval: 100 })
    await vi.waitFor(
      async () => expect(await names(stored, `SpanAttributes['planspan.span.state'] != 'pending'`)).toBe(finished),
      { timeout: 60_000, interval: 100 },
    )
    expect(Number(await stored.scalar(`SELECT count() FROM ${stored.database}.otel_traces`))).toBeGreaterThan(2)
  })

  it.each([
    ['is down', async () => `127.0.0.1:${(await freePorts(1))[0]}`],
    ['takes connections and never answers', startSilence],
  ])(
    'that %s blocks nothing: each request is acknowledged the first time, and ClickHouse has all spans',
    async (_, place) => {
      const collector = await startBoth(await place())
      const records = makeRecords('plan', 100)
      await Promise.all(
        records.map(({ spans }) => sendHttp(collector.url, requestOf(spans), { type: 'application/x-protobuf' })),
      )
      expect(await countWhole(server, records)).toBe(records.length)
      expect(await stored.count()).toBe(records.reduce((sum, { spans }) => sum + spans.length, 0))
      await vi.waitFor(async () => expect(await lostByJaeger(collector)).toBeGreaterThan(0), { timeout: 60_000 })
    },
  )
})
