import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { trace } from '@opentelemetry/api'
import { dropCounts, plan, register, startPlan, type Registration } from '@planspan/sdk'
import { startReceiver, valueOf, type Receiver } from './receiver.ts'

let receiver: Receiver
let registration: Registration

before(async () => {
  receiver = await startReceiver()
  registration = await register({
    endpoint: receiver.endpoint,
    serviceName: 'svc',
    snapshots: { heartbeatMillis: 2_000 },
  })
})
after(() => receiver.close())

test('a plan is visible while it runs, together with the spans below it', async () => {
  const open = startPlan({ workflow: 'open' })
  await registration.forceFlush()
  assert.deepEqual(
    receiver.spans.map((span) => [span.name, valueOf(span, 'planspan.span.state')]),
    [['invoke_workflow open', 'pending']],
  )
  open.end()
  receiver.spans.length = 0
  await plan({ workflow: 'trip', planId: 'p-1', request: 'my password=hunter2' }, async (p) => {
    for (let count = 0; count < 300; count++) p.message({ role: 'user', content: `m${count}.` })
    await p.agent({ name: 'a' }, async () => trace.getTracer('http').startSpan('GET').end())
  })
  await registration.shutdown()
  const named = (name: string) => receiver.spans.find((span) => span.name === name)
  assert.equal(valueOf(named('GET'), 'planspan.plan.id'), 'p-1')
  assert.equal(named('GET')?.parentSpanId, named('invoke_agent a')?.spanId)
  const text = JSON.stringify(named('invoke_workflow trip'))
  assert.ok(text.includes('[REDACTED]'))
  assert.ok(!text.includes('hunter2'))
  assert.ok(text.includes('m299.'))
})

test('another SDK may be installed later, and nothing was dropped', () => {
  assert.equal(trace.getTracer('t').startSpan('s').isRecording(), false)
  assert.deepEqual(
    Object.values(dropCounts()).filter((count) => count > 0),
    [],
  )
})
