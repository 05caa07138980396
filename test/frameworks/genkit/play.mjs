// Genkit, which instruments itself.
import { openAICompatible } from '@genkit-ai/compat-oai'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { genkit, z } from 'genkit/beta'
import { enableTelemetry, flushTracing } from 'genkit/tracing'
import { endpoint, modelUrl, play, traces } from '../stories.mjs'

await enableTelemetry({
  serviceName: 'genkit',
  spanProcessors: [traces, new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))],
})
const ai = genkit({
  plugins: [openAICompatible({ name: 'made-up', apiKey: 'none', baseURL: modelUrl, maxRetries: 1 })],
  model: 'made-up/made-up',
})

/** An agent is a flow, so that its telemetry has the agent's name. */
const flowOf = ({ name, instructions, tools }, { agents, limit, signal, stream }) => {
  const options = {
    system: instructions,
    tools: tools.map((each) => toolOf(each, agents)),
    maxTurns: limit === undefined ? 5 : limit - 1,
    abortSignal: signal,
  }
  return ai.defineFlow({ name, inputSchema: z.string(), outputSchema: z.string() }, async (prompt) => {
    if (!stream) return (await ai.generate({ ...options, prompt })).text
    const answer = ai.generateStream({ ...options, prompt })
    for await (const _ of answer.stream);
    return (await answer.response).text
  })
}

const toolOf = ({ name, result, agent }, agents) => {
  const key = agent ? 'input' : 'query'
  const description = {
    name,
    description: name,
    inputSchema: z.object({ [key]: z.string() }),
    outputSchema: z.string(),
  }
  return ai.defineTool(description, async (input) => (agent ? flowOf(agents[agent], { agents })(input[key]) : result))
}

await play((story) => flowOf(story.first, story)(story.request))
await flushTracing()
// Genkit keeps the process alive.
process.exit()
