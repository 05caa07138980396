// Records a session of ManusX from its events: a plan, a step that asks and waits, a tool call.
// node examples/manus-recorder.mjs   # sends to OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318
import { randomUUID } from 'node:crypto'
import { createManusRecorder, register } from '@planspan/sdk'

const tracing = await register({ serviceName: 'manus-x' })
const recorder = createManusRecorder({ sessionId: 'session-1' })

for await (const event of events()) recorder.event(event)

await tracing.shutdown()
console.log(`planspan show ${recorder.planId}`)

/** Yields events as a Redis stream or a WebSocket would deliver them. */
async function* events() {
  const step = { id: '1', description: 'Book a table', status: 'running' }
  const done = { ...step, status: 'completed', result: 'Booked for two.', success: true, attachments: [] }
  const plan = { id: randomUUID(), title: 'A table for two', goal: 'Dinner', steps: [{ ...step, status: 'pending' }] }
  const call = { tool_call_id: 'call-1', tool_name: 'browser', function_name: 'browser_navigate' }
  const browse = { type: 'tool', ...call, function_args: { url: 'https://example.com' } }
  yield { type: 'message', role: 'user', message: 'Book a table for two' }
  yield { type: 'plan', status: 'created', plan }
  yield { type: 'step', status: 'started', step }
  yield { type: 'message', role: 'assistant', message: 'For what time?' }
  yield { type: 'wait' }
  yield { type: 'message', role: 'user', message: 'Eight' }
  yield { type: 'step', status: 'started', step }
  yield { ...browse, status: 'calling' }
  yield { ...browse, status: 'called', function_result: { success: true, message: null, data: 'Booked' } }
  yield { type: 'step', status: 'completed', step: done }
  yield { type: 'message', role: 'assistant', message: 'Your table is booked for eight.' }
  yield { type: 'plan', status: 'completed', plan: { ...plan, steps: [done] } }
  yield { type: 'done' }
}
