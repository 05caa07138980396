import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'

import { ATTR, PENDING, type Span } from '../../src/semconv/index.js'
import { startServer, type RunningServer } from '../../src/server/index.js'
import { PendingSpanProcessor, plan, PlanspanProcessor, wrapExporter } from '../../src/tracing/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { execute, freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { startCollector, type Collector } from './collector.js'
import { startJaeger, tagOf, treeOf, type Jaeger, type JaegerTrace } from './jaeger.js'

let fresh: FreshDatabase
let server: RunningServer
let collector: Collector
/** A Jaeger that the collector feeds, and a Jaeger that reads planspan's store. */
let jaegers: { readonly fed: Jaeger; readonly reading: Jaeger }

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ clickhouse: fresh.url, database: fresh.database, port: 0, jaegerPort: 0 })
  const [fed, reading] = await Promise.all([
    startJaeger('jaeger.yaml'),
    startJaeger('jaeger-remote-storage.yaml', { PLANSPAN_JAEGER: server.jaegerEndpoint ?? '' }),
  ])
  jaegers = { fed, reading }
  collector = await startCollector({
    configs: ['agent.yaml', 'to-jaeger.yaml'],
    clickhouse: { ...fresh, nativePort: inject('clickhouseNativePort') },
    env: { JAEGER_ENDPOINT: fed.otlp },
  })
}, 120_000)
afterAll(async () => {
  await collector.remove()
  await jaegers.fed.end()
  await jaegers.reading.end()
  await server.close()
  await fresh.drop()
})

const TREE = [
  'invoke_workflow trip',
  '  plan planner',
  '    chat gpt-5.4-mini',
  '  invoke_agent researcher !',
  '    agent_step researcher',
  '      chat gpt-5.4-mini',
  '      run_guardrail safepred',
  '      execute_tool search !',
  '    agent_step researcher',
  '      execute_tool delegate',
  '        invoke_workflow museums',
  '          invoke_agent reader',
  '  wait_for_user',
]

/**
 * A plan with a failure, a rejection, a sub-plan and a wait; it sends snapshots while it runs. Returns its trace id.
 */
async function runPlan(url: string, service: string): Promise<string> {
  const exporter = wrapExporter(new OTLPTraceExporter({ url: `${url}/v1/traces` }))
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ [ATTR.serviceName]: service }),
    spanProcessors: [
      new PlanspanProcessor(),
      new PendingSpanProcessor(new BatchSpanProcessor(exporter as SpanExporter)),
    ],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  let traceId = ''
  await plan({ workflow: 'trip', title: 'A day in Rome', request: 'What to see?' }, async (p) => {
    traceId = trace.getSpanContext(p.context)?.traceId ?? ''
    await p.planning({ planner: 'planner' }, async (planning) => {
      await planning.model({ model: 'gpt-5.4-mini' }, async (m) => m.usage({ input: 900, output: 60 }))
      planning.steps(['find museums'])
    })
    await p.agent({ name: 'researcher', step: 0 }, async (a) => {
      await a.cycle(async (c) => {
        await c.model({ model: 'gpt-5.4-mini' }, async (m) => m.usage({ input: 1200, output: 80, cacheRead: 1000 }))
        await c.guardrail({ name: 'safepred' }, async (g) => g.risk({ score: 0.25, isSafe: true }))
        const search = c.startTool({ name: 'search', callId: 'call-1', arguments: { query: 'Rome' } })
        await provider.forceFlush()
        search.fail(new TypeError('no answer'))
      })
      await a.cycle(async (c) => {
        await c.tool({ name: 'delegate', callId: 'call-2' }, () =>
          plan({ workflow: 'museums' }, (sub) => sub.agent({ name: 'reader', step: 0 }, async () => 'three')),
        )
      })
      a.error(new Error('one museum short'))
    })
    await p.wait({ reason: 'plan_review' }, async () => {})
  })
  await provider.shutdown()
  trace.disable()
  context.disable()
  return traceId
}

/** Returns a trace as soon as Jaeger has the given number of its spans. */
const traceOf = (jaeger: Jaeger, traceId: string): Promise<JaegerTrace> =>
  vi.waitFor(
    async () => {
      const [found] = await jaeger.get<[JaegerTrace]>(`/api/traces/${traceId}`)
      expect(found.spans.length).toBeGreaterThanOrEqual(TREE.length)
      expect(found.spans.filter((span) => tagOf(span, ATTR.spanState) === PENDING)).toEqual([])
      return found
    },
    { timeout: 30_000, interval: 100 },
  )

describe.each([
  ['fed by the collector', 'fed'],
  ['that reads planspan’s store', 'reading'],
] as const)('a Jaeger %s', (_, name) => {
  let found: JaegerTrace
  let service: string

  beforeAll(async () => {
    service = `trip-agent-${name}`
    found = await traceOf(jaegers[name], await runPlan(collector.url, service))
  }, 60_000)

  it('shows a plan as its tree, with errors marked and without snapshots', async () => {
    expect(treeOf(found)).toEqual(TREE)
    const snapshots = `SELECT count() > 0 FROM ${fresh.database}.otel_traces
      WHERE TraceId = '${found.traceID}' AND SpanAttributes['${ATTR.spanState}'] = '${PENDING}'`
    await vi.waitFor(async () => expect(await execute(fresh.url, snapshots)).toBe('1\n'), { timeout: 30_000 })
  })

  it('shows numbers as numbers, and the messages of errors', () => {
    const spans = new Map(found.spans.map((span) => [span.operationName, span]))
    const search = spans.get('execute_tool search')
    expect(tagOf(search!, ATTR.errorType)).toBe('TypeError')
    expect(tagOf(search!, 'otel.status_description')).toBe('no answer')
    expect(search!.logs.map(({ fields }) => fields.find(({ key }) => key === 'event')?.value)).toEqual(['exception'])
    const chat = found.spans.find((span) => tagOf(span, ATTR.usageCacheReadTokens) !== undefined)
    expect(chat!.tags).toContainEqual({ key: ATTR.usageInputTokens, type: 'int64', value: 1200 })
    expect(spans.get('run_guardrail safepred')!.tags).toEqual(
      expect.arrayContaining([
        { key: ATTR.riskScore, type: 'float64', value: 0.25 },
        { key: ATTR.riskIsSafe, type: 'bool', value: true },
        { key: 'span.kind', type: 'string', value: 'internal' },
      ]),
    )
    expect(tagOf(chat!, 'span.kind')).toBe('client')
  })

  it('finds it by service, operation, tags and duration', async () => {
    const search = async (query: Readonly<Record<string, string>>) => {
      const traces = await jaegers[name].get<JaegerTrace[]>(`/api/traces?${new URLSearchParams({ service, ...query })}`)
      return traces.map(({ traceID }) => traceID)
    }
    const tags = (values: Readonly<Record<string, string>>) => ({ tags: JSON.stringify(values) })
    // Lookup tables are filled a moment after the spans.
    await vi.waitFor(async () => expect(await jaegers[name].get('/api/services')).toContain(service), {
      timeout: 30_000,
    })
    expect(await jaegers[name].get(`/api/services/${service}/operations`)).toContain('execute_tool search')
    const finding = [
      {},
      { operation: 'execute_tool search', minDuration: '1ns' },
      tags({ [ATTR.usageInputTokens]: '1200' }),
      tags({ [ATTR.toolCallId]: 'call-1', [ATTR.errorType]: 'TypeError' }),
      { maxDuration: '1h', limit: '1' },
    ]
    expect(await Promise.all(finding.map(search))).toEqual(finding.map(() => [found.traceID]))
    const others = [{ operation: 'none' }, tags({ [ATTR.usageInputTokens]: '1201' }), { minDuration: '1h' }]
    expect(await Promise.all(others.map(search))).toEqual(others.map(() => []))
  })
})

describe('a Jaeger that reads planspan’s store', () => {
  const traceId = '5'.repeat(32)
  const startTimeUnixNano = BigInt(Date.now()) * 1_000_000n
  const spanId = (number: number) => number.toString(16).padStart(16, '0')
  const spanAt = (traceId: string, startTimeUnixNano: bigint): Span => ({
    traceId,
    spanId: spanId(1),
    parentSpanId: '',
    name: 'invoke_workflow old',
    kind: 'INTERNAL',
    startTimeUnixNano,
    endTimeUnixNano: startTimeUnixNano + 1_000_000_000n,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: {},
    events: [],
    links: [],
  })
  const send = (service: string, spans: readonly Span[]) =>
    createSpanSender({ url: `${server.url}/v1/traces`, serviceName: service }).send(spans)

  it('shows a trace of 10,000 spans, each once although they were sent twice', async () => {
    const spans = Array.from({ length: 10_000 }, (_, i): Span => ({
      ...spanAt(traceId, startTimeUnixNano + BigInt(i) * 1_000_000n),
      spanId: spanId(i + 1),
      parentSpanId: i === 0 ? '' : spanId(Math.ceil(i / 10)),
      name: i === 0 ? 'invoke_workflow big' : 'execute_tool search',
      endTimeUnixNano: startTimeUnixNano + 20_000_000_000n,
      attributes: { [ATTR.toolCallArguments]: 'x'.repeat(700), [ATTR.seq]: i },
    }))
    await send('big', spans)
    await send('big', spans.slice(0, 5000))
    const [big] = await jaegers.reading.get<[JaegerTrace]>(`/api/traces/${traceId}`)
    expect(big.spans.length).toBe(10_000)
    expect(new Set(big.spans.map(({ spanID }) => spanID)).size).toBe(10_000)
    expect(big.spans.flatMap(({ warnings }) => warnings ?? [])).toEqual([])
    const [found] = await jaegers.reading.get<[JaegerTrace]>('/api/traces?service=big')
    expect(found.spans.length).toBe(10_000)
  })

  it('finds failed spans', async () => {
    const failed = (operation: string) => {
      const query = { service: 'trip-agent-reading', operation, tags: '{"error":"true"}' }
      return jaegers.reading.get<JaegerTrace[]>(`/api/traces?${new URLSearchParams(query)}`)
    }
    expect((await failed('execute_tool search')).map(treeOf)).toEqual([TREE])
    expect(await failed('execute_tool delegate')).toEqual([])
  })

  it('counts calls between services', async () => {
    const until = Date.now() + 60_000
    const edges = await jaegers.reading.get<{ parent: string; child: string; callCount: number }[]>(
      `/api/dependencies?endTs=${until}&lookback=3600000`,
    )
    expect(edges).toContainEqual({ parent: 'big', child: 'big', callCount: 9_999 })
  })

  it('marks a taken risk in the tree, and warns of it', async () => {
    const marked = '9'.repeat(32)
    const plan = spanAt(marked, startTimeUnixNano)
    const root = { ...plan, attributes: { [ATTR.spanKind]: 'plan', [ATTR.planId]: 'marked' } }
    const guardrail: Span = {
      ...root,
      spanId: spanId(2),
      parentSpanId: spanId(1),
      name: 'run_guardrail safepred',
      attributes: { [ATTR.spanKind]: 'guardrail', [ATTR.riskIsSafe]: false, [ATTR.riskActionTaken]: true },
    }
    await send('marked', [root, guardrail])
    const [found] = await jaegers.reading.get<[JaegerTrace]>(`/api/traces/${marked}`)
    const span = found.spans.find((one) => one.spanID === guardrail.spanId)!
    expect(span.warnings).toEqual(['A risk was taken: an action ran although this guardrail found it unsafe.'])
    expect(span.tags).toContainEqual({ key: 'error', type: 'bool', value: true })
    expect(tagOf(span, '@jaeger@warnings')).toBeUndefined()
  })

  it('opens a shared link and a comparison of a plan that is days old', async () => {
    const old = ['7', '8'].map((digit) => digit.repeat(32))
    const begun = startTimeUnixNano - 5n * 86_400_000_000_000n
    for (const traceId of old) await send('old', [spanAt(traceId, begun)])
    // The page's own request: Jaeger adds the two days up to now.
    const found = await jaegers.reading.get<JaegerTrace[]>(`/api/traces?traceID=${old.join('&traceID=')}`)
    expect(found.map(({ traceID }) => traceID)).toEqual(old)
    const [alone] = await jaegers.reading.get<JaegerTrace[]>(`/api/traces/${old[0]}`)
    expect(alone!.spans.map(({ operationName }) => operationName)).toEqual(['invoke_workflow old'])
  })

  it('reports an unknown trace', async () => {
    await expect(jaegers.reading.get(`/api/traces/${'6'.repeat(32)}`)).rejects.toThrow(/^404 .*trace not found/)
    expect(await jaegers.reading.get('/api/traces?service=none')).toEqual([])
  })
})
