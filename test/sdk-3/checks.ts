import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import {
  dropCounts,
  PendingSpanProcessor,
  plan,
  PlanspanProcessor,
  startPlan,
  startResume,
  wrapExporter,
} from '@planspan/sdk'
import { startReceiver, valueOf, type Receiver } from './receiver.ts'

let receiver: Receiver
let provider: TracerProvider

before(async () => {
  receiver = await startReceiver()
  const exporter = new OTLPTraceExporter({ url: `${receiver.endpoint}/v1/traces` })
  const batch = new BatchSpanProcessor({ exporter: wrapExporter(exporter), scheduledDelayMillis: 100 })
  provider = new TracerProvider({ spanProcessors: [new PlanspanProcessor(), new PendingSpanProcessor(batch)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
})
beforeEach(() => {
  receiver.spans.length = 0
})
after(async () => {
  await provider.shutdown()
  receiver.close()
})

const names = () => receiver.spans.map(({ name }) => name).toSorted()
const named = (name: string) => receiver.spans.filter((span) => span.name === name)

test('a plan with spans of other instrumentation below it', async () => {
  await plan({ workflow: 'trip', planId: 'p-1', request: 'my password=hunter2' }, async (p) => {
    await p.agent({ name: 'a' }, async (a) => {
      await a.cycle(async (c) => {
        await c.model({ model: 'm' }, (m) => m.usage({ input: 3, output: 1 }))
        await c.tool({ name: 't' }, async () => {
          trace
            .getTracer('http')
            .startSpan('GET', { attributes: { nested: { token: 'password=hunter2' } } })
            .end()
        })
      })
    })
  })
  await provider.forceFlush()
  assert.deepEqual(names(), [
    'GET',
    'agent_step a',
    'chat m',
    'execute_tool t',
    'invoke_agent a',
    'invoke_workflow trip',
  ])
  for (const span of receiver.spans) assert.equal(valueOf(span, 'planspan.plan.id'), 'p-1')
  assert.equal(named('GET')[0]?.parentSpanId, named('execute_tool t')[0]?.spanId)
  const text = JSON.stringify(receiver.spans)
  assert.ok(text.includes('[REDACTED]'))
  assert.ok(!text.includes('hunter2'))
})

test('an open plan', async () => {
  const p = startPlan({ workflow: 'open', planId: 'p-2' })
  const agent = p.startAgent({ name: 'a' })
  p.set({ title: 'seen' })
  await provider.forceFlush()
  const [shown] = named('invoke_workflow open')
  assert.equal(valueOf(shown, 'planspan.span.state'), 'pending')
  assert.equal(valueOf(shown, 'planspan.state'), 'running')
  assert.equal(valueOf(shown, 'planspan.plan.title'), 'seen')
  assert.equal(valueOf(shown, 'planspan.snapshot.seq'), 0)
  assert.equal(valueOf(shown, 'planspan.heartbeat.interval_ms'), 30_000)
  agent.end()
  p.end()
  await provider.forceFlush()
  const [, real] = named('invoke_workflow open')
  assert.equal(valueOf(shown, 'planspan.pending.span_id'), real?.spanId)
  assert.equal(shown?.parentSpanId, real?.spanId)
  assert.notEqual(shown?.spanId, real?.spanId)
  assert.equal(valueOf(named('invoke_agent a')[0], 'planspan.pending.parent_span_id'), real?.spanId)
})

test('a plan that is suspended and resumed', async () => {
  const token = startPlan({ workflow: 'paused', planId: 'p-3' }).startWait({ reason: 'form_input' }).suspend()
  startResume(token, { answer: { resolution: 'submitted' } }).end()
  await provider.forceFlush()
  const [first, second] = named('invoke_workflow paused')
  assert.equal(second?.traceId, first?.traceId)
  assert.equal(second?.parentSpanId, first?.spanId)
  assert.equal(second?.links?.[0]?.spanId, first?.spanId)
  assert.equal(valueOf(second, 'planspan.plan.segment'), 1)
  const [open, answered] = named('wait_for_user')
  assert.equal(valueOf(answered, 'planspan.wait.id'), valueOf(open, 'planspan.wait.id'))
})

test('none of these values was dropped', () => {
  assert.deepEqual(
    Object.values(dropCounts()).filter((count) => count > 0),
    [],
  )
})
