// A plan whose tool call runs in another process, in any language: the header `traceparent` carries the trace there.
// node examples/distributed-worker.mjs   # in another terminal, or examples/python/distributed_worker.py
// node examples/distributed-plan.mjs 4320
import { context, propagation, trace } from '@opentelemetry/api'
import { plan, register } from '@planspan/sdk'

const url = `http://127.0.0.1:${process.argv[2] ?? 4320}`
const tracing = await register({ serviceName: 'researcher' })

/** Calls the worker inside of a plan, an agent or a tool call. */
async function ask(body) {
  const headers = {}
  propagation.inject(context.active(), headers)
  const response = await fetch(url, { method: 'POST', headers, body })
  return response.text()
}

/** Stands for `generateText` of the Vercel AI SDK, which writes these spans itself. */
const generateText = (text) =>
  trace.getTracer('ai').startActiveSpan('ai.generateText', (step) => {
    step.setAttributes({ 'ai.operationId': 'ai.generateText', 'ai.response.text': text })
    const call = trace.getTracer('ai').startSpan('ai.generateText.doGenerate')
    call.setAttribute('ai.prompt.messages', JSON.stringify([{ role: 'user', content: 'Is BABA a buy?' }]))
    call.setAttributes({ 'ai.operationId': 'ai.generateText.doGenerate', 'ai.model.id': 'small-model' })
    call.setAttributes({ 'ai.response.text': text, 'ai.usage.inputTokens': 600, 'ai.usage.outputTokens': 40 })
    call.end()
    step.end()
  })

const planId = await plan({ workflow: 'market', title: 'Is BABA a buy?' }, async (p) => {
  await p.agent({ name: 'researcher' }, (a) =>
    a.cycle(async (c) => {
      await c.model({ model: 'small-model' }, () => generateText('I will ask the analyst.'))
      await c.tool({ name: 'ask_analyst', callId: 'call-1', arguments: { share: 'BABA' } }, () => ask('BABA'))
    }),
  )
  return p.planId
})
await tracing.shutdown()
console.log(`planspan show ${planId}`)
