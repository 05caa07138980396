// LangChain, on LangGraph, with OpenInference; VARIANT=langfuse: with Langfuse's callback handler.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import * as callbackManager from '@langchain/core/callbacks/manager'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { CallbackHandler } from '@langfuse/langchain'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createAgent, toolRetryMiddleware } from 'langchain'
import { z } from 'zod'
import { endpoint, modelUrl, play, traces } from '../stories.mjs'

const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'langchain' }),
  spanProcessors: [traces, new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)
if (process.env.VARIANT !== 'langfuse')
  new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager)

const model = new ChatOpenAI({ model: 'made-up', apiKey: 'none', configuration: { baseURL: modelUrl } })

const agentOf = ({ name, instructions, tools }, agents) =>
  createAgent({
    name,
    model,
    systemPrompt: instructions,
    tools: tools.map((each) => toolOf(each, agents)),
    // Without it, a tool that throws ends the run.
    middleware: [toolRetryMiddleware({ maxRetries: 0 })],
  })

function toolOf({ name, result, error, agent }, agents) {
  if (agent) {
    const schema = z.object({ input: z.string() })
    return tool(({ input }) => ask(agents[agent], agents, input), { name, description: name, schema })
  }
  const run = () => {
    if (error) throw new Error(error)
    return result
  }
  return tool(run, { name, description: name, schema: z.object({ query: z.string() }) })
}

/** LangChain passes the callbacks of a run on to the agents that its tools call. */
async function ask(agent, agents, content, config = {}) {
  const { messages } = await agentOf(agent, agents).invoke({ messages: [{ role: 'user', content }] }, config)
  return messages.at(-1).content
}

const config = () => (process.env.VARIANT === 'langfuse' ? { callbacks: [new CallbackHandler()] } : {})
await play(({ request, agents, first }) => ask(first, agents, request, config()))
await provider.shutdown()
