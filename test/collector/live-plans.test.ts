import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { runDemoAgent } from '../../src/cli/demo/demo-agent.js'
import { PendingSpanProcessor, PlanspanProcessor, startPlan, wrapExporter } from '../../src/tracing/index.js'
import { openTwoRoads, readRecord, type TwoRoads } from './two-roads.js'

let roads: TwoRoads

beforeAll(async () => {
  roads = await openTwoRoads()
})
afterAll(() => roads.close())
afterEach(() => {
  trace.disable()
  context.disable()
  vi.unstubAllEnvs()
})

/** An exporter that passes the same spans to two others, and completes when both have. */
const both = (a: SpanExporter, b: SpanExporter): SpanExporter => ({
  export: (spans, done) => a.export(spans, (first) => b.export(spans, (second) => done(first.code ? first : second))),
  shutdown: async () => {
    await Promise.all([a.shutdown(), b.shutdown()])
  },
})

/** The real SDK, which sends its spans and the snapshots of open ones on both routes. */
function installSdk(Exporter: typeof JsonExporter): BasicTracerProvider {
  const to = (url: string) => new Exporter({ url: `${url}/v1/traces` })
  const exporter = both(to(roads.bridge.url), to(roads.direct.url))
  const provider = new BasicTracerProvider({
    spanProcessors: [
      new PlanspanProcessor(),
      new PendingSpanProcessor(new BatchSpanProcessor(wrapExporter(exporter) as SpanExporter)),
    ],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  return provider
}

describe.each([
  ['JSON', JsonExporter, 'none'],
  ['JSON, gzip', JsonExporter, 'gzip'],
  ['protobuf, gzip', ProtobufExporter as unknown as typeof JsonExporter, 'gzip'],
] as const)('live plans, exported as %s', (_, Exporter, compression) => {
  it('have the same records as on the direct route, while running, failed and completed', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', compression)
    const provider = installSdk(Exporter)
    const known = new Set((await list(roads.direct)).map(({ planId }) => planId))
    const recordsOfBoth = async () => {
      const plans = (await list(roads.direct)).filter(({ planId }) => !known.has(planId))
      // The indexer finds the collector's spans a moment after they are written.
      const bridged = async () => (await list(roads.bridge)).filter(({ planId }) => !known.has(planId))
      await expect.poll(bridged, { timeout: 30_000 }).toEqual(plans)
      for (const { planId } of plans) {
        const bridged = await readRecord(roads.bridge.server, planId)
        expect(bridged).toEqual(await readRecord(roads.direct.server, planId))
        expect(bridged.status).toBe(200)
      }
      return plans
    }
    const p = startPlan({ workflow: 'trip', title: 'A day in Rome' })
    const a = p.startAgent({ name: 'researcher', step: 0 })
    const c = a.startCycle()
    const t = c.startTool({ name: 'search', callId: 'call-1', arguments: { query: 'Rome' } })
    await provider.forceFlush()
    await roads.settled()
    expect(await recordsOfBoth()).toMatchObject([{ planId: p.planId, state: 'running', spans: 0 }])

    for (const span of [t, c, a, p]) span.fail(new Error('no answer'))
    await runDemoAgent()
    await provider.forceFlush()
    await roads.settled()
    const states = (await recordsOfBoth()).map(({ state }) => state)
    expect(states.sort()).toEqual(['completed', 'failed'])
    await provider.shutdown()
  })
})

interface Listed {
  readonly planId: string
  readonly state: string
}

/** The plans in the list of GET /api/records. */
async function list({ server }: TwoRoads['direct']): Promise<Listed[]> {
  const response = await fetch(`${server.url}/api/records?limit=100`)
  return ((await response.json()) as { records: Listed[] }).records
}
