// VoltAgent, which instruments itself.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { Agent, createTool, VoltAgentObservability } from '@voltagent/core'
import { z } from 'zod'
import { endpoint, modelUrl, play, traces } from '../stories.mjs'

const observability = new VoltAgentObservability({
  serviceName: 'voltagent',
  spanProcessors: [traces, new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
})
const model = createOpenAICompatible({ name: 'made-up', baseURL: modelUrl, includeUsage: true })('made-up')

const agentOf = ({ name, instructions, tools }, agents) =>
  new Agent({ name, instructions, model, observability, tools: tools.map((each) => toolOf(each, agents)) })

const toolOf = ({ name, result, error, agent, approval }, agents) =>
  createTool({
    name,
    description: name,
    parameters: z.object({ [agent ? 'input' : 'query']: z.string() }),
    needsApproval: approval === true,
    execute: async ({ input }, options) => {
      if (error) throw new Error(error)
      if (!agent) return result
      const run = await agentOf(agents[agent], agents).generateText(input, { parentSpan: options?.parentToolSpan })
      return run.text
    },
  })

await play(async ({ first, agents, request, conversation, limit, signal, stream }) => {
  const agent = agentOf(first, agents)
  const options = {
    maxSteps: limit ?? 5,
    abortSignal: signal,
    ...(conversation && { conversationId: conversation, userId: 'u' }),
  }
  if (!stream) return (await agent.generateText(request, options)).text
  const answer = await agent.streamText(request, options)
  for await (const _ of answer.textStream);
  return answer.text
})
await observability.shutdown()
// VoltAgent keeps the process alive.
process.exit()
