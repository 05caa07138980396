import { context, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api'
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startReceiver, type Answer } from './otlp-receiver.js'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let answer: Answer = {}

beforeEach(async () => {
  answer = {}
  receiver = await startReceiver(() => answer)
  vi.stubEnv('OTEL_LOG_LEVEL', 'NONE')
  vi.resetModules()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  trace.disable()
  context.disable()
  await receiver.close()
})

const tracing = () => import('../../src/tracing/index.js')

test('one line exports plans to the receiver, with secrets masked', async () => {
  const { register, plan } = await tracing()
  const { shutdown } = await register({ endpoint: receiver.endpoint, headers: { 'x-key': 'k' }, serviceName: 'svc' })
  await plan({ workflow: 'w', request: 'my password=hunter2' }, async (p) => {
    await p.agent({ name: 'a' }, async () => trace.getTracer('http').startSpan('GET').end())
  })
  await shutdown()
  expect(receiver.spanNames()).toEqual(['GET', 'invoke_agent a', 'invoke_workflow w'])
  expect(receiver.requests[0]?.headers['x-key']).toBe('k')
  const text = receiver.requests.map(({ body }) => body).join('')
  expect(text).toContain('"service.name","value":{"stringValue":"svc"}')
  expect(text).toContain('password=[REDACTED]')
  expect(text).not.toContain('hunter2')
})

test('flush() sends the spans queued by register() or by the program’s own SDK; otherwise it does nothing', async () => {
  const { flush, register, plan } = await tracing()
  await flush()
  const { shutdown } = await register({ endpoint: receiver.endpoint })
  plan({ workflow: 'w' }, () => undefined)
  await flush()
  expect(receiver.spanNames()).toEqual(['invoke_workflow w'])
  await shutdown()
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }))
  plan({ workflow: 'own' }, () => undefined)
  await flush()
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['invoke_workflow own'])
})

test('a plan is visible while it runs, with secrets masked, unless this is turned off', async () => {
  for (const snapshots of [{ heartbeatMillis: 2_000 }, false] as const) {
    const { register, startPlan } = await tracing()
    const { forceFlush, shutdown } = await register({ endpoint: receiver.endpoint, snapshots })
    const p = startPlan({ workflow: 'w', request: 'my password=hunter2' })
    const before = receiver.requests.length
    await forceFlush()
    const shown = receiver.requests
      .slice(before)
      .map(({ body }) => body)
      .join('')
    expect(shown.includes('"stringValue":"pending"')).toBe(snapshots !== false)
    expect(shown.includes('password=[REDACTED]')).toBe(snapshots !== false)
    expect(shown.includes('"planspan.heartbeat.interval_ms","value":{"intValue":6000}')).toBe(snapshots !== false)
    p.end()
    await shutdown()
  }
  expect(receiver.requests.map(({ body }) => body).join('')).not.toContain('hunter2')
})

test('the environment supplies missing options', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `${receiver.endpoint}/`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Basic%20abc, x-a=1')
  vi.stubEnv('OTEL_SERVICE_NAME', 'from-env')
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test')
  const { register, startPlan } = await tracing()
  const { shutdown } = await register({ captureContent: false })
  const p = startPlan({ workflow: 'w', title: 'between us' })
  p.end()
  await shutdown()
  const [request] = receiver.requests
  expect(request?.headers).toMatchObject({ authorization: 'Basic abc', 'x-a': '1' })
  expect(request?.body).toContain('"stringValue":"from-env"')
  expect(request?.body).toContain('deployment.environment.name')
  expect(request?.body).not.toContain('between us')
})

test('no limit of the SDK truncates a long plan', async () => {
  const { register, plan } = await tracing()
  const { shutdown } = await register({ endpoint: receiver.endpoint })
  plan({ workflow: 'w' }, (p) => {
    for (let count = 0; count < 300; count++) p.message({ role: 'user', content: `m${count}.` })
  })
  await shutdown()
  expect(receiver.requests[0]?.body.match(/"m\d+\."/g)).toHaveLength(300)
})

test('a flush exports a queue of any length', async () => {
  const { register, plan, dropCounts } = await tracing()
  const { forceFlush, shutdown } = await register({ endpoint: receiver.endpoint, scheduledDelayMillis: 60_000 })
  plan({ workflow: 'w' }, (p) => {
    for (let count = 0; count < 20_000; count++) p.startAgent({ name: 'a' }).end()
  })
  await forceFlush()
  expect(receiver.spanNames()).toHaveLength(20_001)
  expect(dropCounts()).toMatchObject({ queue: 0, export: 0 })
  await shutdown()
})

test('spans beyond the queue and spans that can’t be delivered are counted', async () => {
  const { register, plan, dropCounts } = await tracing()
  answer = { status: 400 }
  const { shutdown } = await register({ endpoint: receiver.endpoint, maxQueueSize: 10, scheduledDelayMillis: 60_000 })
  plan({ workflow: 'w' }, (p) => {
    for (let count = 0; count < 30; count++) p.startAgent({ name: 'a' }).end()
  })
  await shutdown()
  const { queue, export: failed } = dropCounts()
  expect(queue + failed).toBe(31)
  expect(queue).toBeGreaterThan(0)
})

test('a second call returns the first registration', async () => {
  const { register } = await tracing()
  const first = register({ endpoint: receiver.endpoint })
  expect(register()).toBe(first)
  await (await first).shutdown()
})

test('a second shutdown does nothing to a registration that came after the first', async () => {
  const { register, plan } = await tracing()
  const first = await register({ endpoint: receiver.endpoint })
  await first.shutdown()
  const second = await register({ endpoint: receiver.endpoint })
  await first.shutdown()
  plan({ workflow: 'w' }, () => undefined)
  await second.shutdown()
  expect(receiver.spanNames()).toEqual(['invoke_workflow w'])
})

test('spans that end during a flush are sent with it, and a receiver that rejects them causes no error', async () => {
  const { register, startPlan } = await tracing()
  answer = { status: 400 }
  const { shutdown } = await register({ endpoint: receiver.endpoint })
  const [p, q] = [startPlan({ workflow: 'p' }), startPlan({ workflow: 'q' })]
  p.end()
  const done = shutdown()
  q.end()
  await expect(done).resolves.toBeUndefined()
  expect(receiver.spanNames()).toEqual(expect.arrayContaining(['invoke_workflow p', 'invoke_workflow q']))
})

test.each(['true', 'TRUE'])('OTEL_SDK_DISABLED=%s registers nothing', async (value) => {
  vi.stubEnv('OTEL_SDK_DISABLED', value)
  const { register, plan } = await tracing()
  const { forceFlush, shutdown } = await register({ endpoint: receiver.endpoint })
  expect(trace.getTracer('t').startSpan('s').isRecording()).toBe(false)
  expect(plan({ workflow: 'w' }, () => 7)).toBe(7)
  await forceFlush()
  await shutdown()
  expect(receiver.requests).toEqual([])
})

test('another SDK is left unchanged, and named', async () => {
  trace.setGlobalTracerProvider(new BasicTracerProvider())
  const { register } = await tracing()
  await expect(register()).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('PlanspanProcessor') as string,
  })
})

test.each([
  ['always_on', undefined, 1],
  ['always_off', undefined, 0],
  ['traceidratio', '0', 0],
  ['traceidratio', '1', 1],
  ['parentbased_always_on', undefined, 1],
  ['parentbased_always_off', undefined, 0],
  ['parentbased_traceidratio', '0', 0],
])('OTEL_TRACES_SAMPLER=%s with %s samples %i of one plan', async (sampler, arg, count) => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', sampler)
  if (arg !== undefined) vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', arg)
  const { register, plan } = await tracing()
  const { shutdown } = await register({ endpoint: receiver.endpoint })
  plan({ workflow: 'w' }, () => undefined)
  await shutdown()
  expect(receiver.spanNames()).toHaveLength(count)
})

test('carries the trace and the baggage to other services, unless the program set a propagator', async () => {
  const { register } = await tracing()
  const { shutdown } = await register({ endpoint: receiver.endpoint })
  const span = trace.getTracer('http').startSpan('POST')
  const baggage = propagation.createBaggage({ tenant: { value: 'a b,c' } })
  const sent: Record<string, string> = {}
  propagation.inject(propagation.setBaggage(trace.setSpan(ROOT_CONTEXT, span), baggage), sent)
  const { traceId, spanId } = span.spanContext()
  expect(sent).toEqual({ traceparent: `00-${traceId}-${spanId}-01`, baggage: 'tenant=a%20b%2Cc' })

  const received = propagation.extract(ROOT_CONTEXT, { ...sent, tracestate: 'vendor=1' })
  expect(trace.getSpanContext(received)).toMatchObject({ traceId, spanId, traceFlags: 1, isRemote: true })
  expect(trace.getSpanContext(received)?.traceState?.get('vendor')).toBe('1')
  expect(propagation.getBaggage(received)?.getEntry('tenant')?.value).toBe('a b,c')
  for (const traceparent of ['', 'x', `ff-${traceId}-${spanId}-01`, `00-${'0'.repeat(32)}-${spanId}-01`]) {
    expect(trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent, baggage: '%,=,a' }))).toBeUndefined()
  }
  await shutdown()
  expect(propagation.fields()).toEqual([])

  const own: TextMapPropagator = { fields: () => ['b3'], inject: () => undefined, extract: (context) => context }
  propagation.setGlobalPropagator(own)
  const second = await register({ endpoint: receiver.endpoint })
  await second.shutdown()
  expect(propagation.fields()).toEqual(['b3'])
  propagation.disable()
})
