import { expect } from 'vitest'

import type { Story, Turn } from './story.js'
import type { ToldAgent, ToldCycle, ToldPlan, ToldTool } from './told.js'

/** The expected record of a story, if the framework returned the expected answer to the program. */
export function truthOf({ request, agents, workflow }: Story, answer: string): ToldPlan {
  const tools = Object.values(agents).flatMap((agent) => Object.values(agent.tools))
  const turns = Object.values(agents).flatMap((agent) => agent.turns)
  const asked = new Set(tools.map(({ agent }) => agent))
  const sequence = Object.keys(agents).filter((name) => !asked.has(name))
  const approvals = tools.filter(({ approval }) => approval)
  const waitingSteps = (workflow?.steps ?? []).filter((step) => !agents[step])
  return {
    title: workflow?.name ?? expect.any(String),
    request,
    answer,
    modelCalls: turns.length,
    inputTokens: sum(turns.map(({ tokens }) => tokens.input)),
    outputTokens: sum(turns.map(({ tokens }) => tokens.output)),
    waits: approvals.length + waitingSteps.length,
    agents: sequence.map((name, at) => ({
      ...agentOf(name, agents),
      ...(at === sequence.length - 1 && { answer }),
    })),
  }
}

function agentOf(name: string, agents: Story['agents']): ToldAgent {
  const { turns } = agents[name]!
  return { name, answer: lastTextOf(turns), cycles: turns.map((turn) => cycleOf(turn, name, agents)) }
}

function cycleOf({ text, calls, tokens }: Turn, name: string, agents: Story['agents']): ToldCycle {
  const { tools } = agents[name]!
  // A handoff is not a tool call: the next agent is a sibling of this one.
  const called = calls.filter((call) => tools[call.name]?.handoff === undefined)
  const failed = called.find((call) => tools[call.name]?.error !== undefined)
  return {
    text: text === '' ? expect.anything() : text,
    status: failed ? 'FAILED' : 'SUCCESS',
    error: failed ? expect.stringContaining(tools[failed.name]!.error!) : null,
    tokens: [[tokens.input, tokens.output]],
    tools: called.map((call): ToldTool => {
      const { result, error, agent } = tools[call.name]!
      return {
        id: call.id,
        name: call.name,
        arguments: call.arguments,
        result: error ? expect.stringContaining(error) : agent ? lastTextOf(agents[agent]!.turns) : result,
        subPlan: agent ? [agentOf(agent, agents)] : null,
      }
    }),
  }
}

/** An agent that hands over returns no answer. */
const lastTextOf = (turns: readonly Turn[]) => turns.at(-1)?.text || null

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
