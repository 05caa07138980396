// OpenAI Agents SDK with OpenInference.
import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents'
import * as agents from '@openai/agents'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { z } from 'zod'
import { endpoint, modelUrl, play, traces } from '../stories.mjs'

const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'openai-agents' }),
  spanProcessors: [traces, new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
})
new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents)

const runner = new agents.Runner({
  modelProvider: new agents.OpenAIProvider({
    baseURL: modelUrl,
    apiKey: 'none',
    useResponses: process.env.VARIANT !== 'chat',
  }),
})

function agentOf({ name, instructions, tools }, all) {
  return new agents.Agent({
    name,
    instructions,
    model: 'made-up',
    tools: tools.filter(({ handoff }) => !handoff).map((tool) => toolOf(tool, all)),
    handoffs: tools.filter(({ handoff }) => handoff).map(({ handoff }) => agentOf(all[handoff], all)),
  })
}

function toolOf({ name, result, error, agent }, all) {
  if (agent) return agentOf(all[agent], all).asTool({ toolName: name, toolDescription: name, runConfig: runner.config })
  return agents.tool({
    name,
    description: name,
    parameters: z.object({ query: z.string() }),
    // The SDK's own error function hides a tool's message from traces.
    errorFunction: (_, error) => String(error),
    execute: async () => {
      if (error) throw new Error(error)
      return result
    },
  })
}

await play(async ({ request, agents, first }) => (await runner.run(agentOf(first, agents), request)).finalOutput)
await agents.getGlobalTraceProvider().forceFlush()
await provider.shutdown()
