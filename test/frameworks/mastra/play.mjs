// Mastra with its own OpenTelemetry exporter.
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { Observability } from '@mastra/observability'
import { OtelExporter } from '@mastra/otel-exporter'
import { z } from 'zod'
import { endpoint, modelUrl, noteTrace, play } from '../stories.mjs'

const observability = new Observability({
  configs: {
    otel: {
      serviceName: 'mastra',
      exporters: [
        new OtelExporter({
          provider: { custom: { endpoint: `${endpoint}/v1/traces`, protocol: 'http/protobuf' } },
          signals: { logs: false },
        }),
      ],
    },
  },
})
const model = { id: 'openai/made-up', url: modelUrl, apiKey: 'none' }

await play(async ({ request, agents, first, workflow }) => {
  const made = Object.fromEntries(Object.values(agents).map((agent) => [agent.name, agentOf(agent, agents)]))
  const workflows = workflow ? { [workflow.name]: workflowOf(workflow, made) } : {}
  const mastra = new Mastra({ observability, storage: new InMemoryStore(), agents: made, workflows, logger: false })
  return workflow ? runWorkflow(mastra.getWorkflow(workflow.name), request) : ask(mastra.getAgent(first.name), request)
})
await observability.shutdown()

function agentOf({ name, instructions, tools }, agents) {
  const made = Object.fromEntries(tools.map((tool) => [tool.name, toolOf(tool, agents)]))
  return new Agent({ id: name, name, instructions, model, tools: made })
}

function toolOf({ name, result, error, agent, approval }, agents) {
  if (agent) {
    const asked = agentOf(agents[agent], agents)
    return createTool({
      id: name,
      description: name,
      inputSchema: z.object({ input: z.string() }),
      execute: async ({ input }, { tracingContext }) => (await asked.generate(input, { tracingContext })).text,
    })
  }
  return createTool({
    id: name,
    description: name,
    inputSchema: z.object({ query: z.string() }),
    requireApproval: approval === true,
    execute: async () => {
      if (error) throw new Error(error)
      return result
    },
  })
}

async function ask(agent, request) {
  const { text, traceId, finishReason, runId, suspendPayload } = await agent.generate(request)
  noteTrace(traceId)
  if (finishReason !== 'suspended') return text
  return (await agent.approveToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId })).text
}

/** The steps of a workflow: agents, and a step that waits for a person. */
function workflowOf({ name, steps }, agents) {
  const approve = createStep({
    id: 'approve',
    inputSchema: z.object({ text: z.string() }),
    outputSchema: z.object({ prompt: z.string() }),
    resumeSchema: z.object({ approved: z.boolean() }),
    suspendSchema: z.object({ reason: z.string() }),
    execute: async ({ inputData, resumeData, suspend }) =>
      resumeData ? { prompt: inputData.text } : suspend({ reason: 'Is this the draft?' }),
  })
  const workflow = createWorkflow({
    id: name,
    inputSchema: z.object({ prompt: z.string() }),
    outputSchema: z.object({ text: z.string() }),
  })
  return steps.reduce((all, step) => all.then(agents[step] ? createStep(agents[step]) : approve), workflow).commit()
}

async function runWorkflow(workflow, prompt) {
  const run = await workflow.createRun()
  const { traceId } = await run.start({ inputData: { prompt } })
  noteTrace(traceId)
  return (await run.resume({ step: 'approve', resumeData: { approved: true } })).result.text
}
