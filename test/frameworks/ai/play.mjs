// Vercel AI SDK with @ai-sdk/otel.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { registerTelemetry, stepCountIs, tool, ToolLoopAgent } from 'ai'
import { z } from 'zod'
import { endpoint, modelUrl, play, traces } from '../stories.mjs'

const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'ai' }),
  spanProcessors: [traces, new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)
registerTelemetry(process.env.VARIANT === 'legacy' ? new LegacyOpenTelemetry() : new OpenTelemetry())

const model = createOpenAICompatible({ name: 'made-up', baseURL: modelUrl })('made-up')

const agentOf = ({ name, instructions, tools }, agents) =>
  new ToolLoopAgent({
    model,
    instructions,
    tools: Object.fromEntries(tools.map((each) => [each.name, toolOf(each, agents)])),
    stopWhen: stepCountIs(5),
    telemetry: { functionId: name },
  })

const toolOf = ({ name, result, error, agent }, agents) =>
  agent
    ? tool({
        description: name,
        inputSchema: z.object({ input: z.string() }),
        execute: ({ input }) => ask(agents[agent], agents, input),
      })
    : tool({
        description: name,
        inputSchema: z.object({ query: z.string() }),
        execute: async () => {
          if (error) throw new Error(error)
          return result
        },
      })

const ask = async (agent, agents, prompt) => (await agentOf(agent, agents).generate({ prompt })).text

await play(({ request, agents, first }) => ask(first, agents, request))
await provider.shutdown()
