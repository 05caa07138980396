// A worker in another process that belongs to the plan of its caller (examples/distributed-plan.mjs).
// node examples/distributed-worker.mjs 4320
import { createServer } from 'node:http'
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { register } from '@planspan/sdk'

const tracing = await register({ serviceName: 'analyst' })
const tracer = trace.getTracer('analyst')

const message = (role, content) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])

/** Answers a request. The spans are those that an agent framework writes. */
function work(request, response) {
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'analyst' }
  tracer.startActiveSpan('invoke_agent analyst', { attributes: agent }, (span) => {
    const call = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'acme',
      'gen_ai.request.model': 'small-model',
    }
    const model = tracer.startSpan('chat small-model', { kind: SpanKind.CLIENT, attributes: call })
    model.setAttributes({ 'gen_ai.usage.input_tokens': 9000, 'gen_ai.usage.output_tokens': 300 })
    model.setAttribute('gen_ai.input.messages', message('user', 'How is it valued?'))
    model.setAttribute('gen_ai.output.messages', message('assistant', 'Cheap.'))
    model.end()
    span.end()
    response.end('Cheap.')
  })
}

const server = createServer((request, response) =>
  context.with(propagation.extract(context.active(), request.headers), () => work(request, response)),
)
server.listen(Number(process.argv[2] ?? 4320), '127.0.0.1', () => console.log(server.address().port))
process.once('SIGTERM', async () => {
  await tracing.shutdown()
  process.exit()
})
