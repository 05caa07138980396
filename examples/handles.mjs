// Uses handles in code that can't nest callbacks: an event-driven agent with a sub-plan.
// node examples/handles.mjs
import { EventEmitter, once } from 'node:events'
import { register, startPlan } from '@planspan/sdk'

const tracing = await register({ serviceName: 'handles' })
const agent = new EventEmitter()
const p = startPlan({ workflow: 'research', request: 'Compare two libraries' })
const worker = p.startAgent({ name: 'librarian' })
const cycle = worker.startCycle()
/** @type {import('@planspan/sdk').ToolSpan | undefined} */
let tool

agent.on('toolCalled', ({ id, name, input }) => {
  tool = cycle.startTool({ name, callId: id, arguments: input })
  const sub = startPlan({ workflow: 'read-changelog' }, tool.context)
  sub.startAgent({ name: 'reader' }).end()
  sub.end()
})
agent.on('toolAnswered', ({ output }) => {
  tool?.result(output)
  tool?.end()
})
agent.on('toolFailed', ({ error }) => tool?.fail(error))
agent.on('done', () => {
  for (const span of [cycle, worker, p]) span.end()
})

setImmediate(() => {
  agent.emit('toolCalled', { id: 'call-1', name: 'read', input: { file: 'CHANGELOG.md' } })
  agent.emit('toolAnswered', { output: 'Three breaking changes.' })
  agent.emit('done')
})
await once(agent, 'done')
await tracing.shutdown()
console.log(`planspan show ${p.planId}`)
