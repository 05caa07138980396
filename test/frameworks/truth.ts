import { ANY, containing, either, NOT_RUN } from './expected.js'
import type { Played } from './play.js'
import type { Story, Turn } from './story.js'
import type { ToldAgent, ToldCycle, ToldPlan, ToldTool } from './told.js'

/** The expected records of a story, one for each request, if the program got the given answers. */
export const truthOf = (story: Story, played: Played): ToldPlan[] =>
  [story.request, ...(story.then ?? [])].map((request, at) => planOf(story, request, played.answers[at], played.error))

function planOf(story: Story, request: string, answer: string | null | undefined, error: string | null): ToldPlan {
  const agents = turnsOf(story, request)
  const tools = Object.values(agents).flatMap((agent) => Object.values(agent.tools))
  const turns = Object.values(agents).flatMap((agent) => agent.turns)
  const asked = new Set(tools.map(({ agent }) => agent))
  const sequence = Object.keys(agents).filter((name) => !asked.has(name))
  const approvals = tools.filter(({ approval }) => approval)
  const waitingSteps = (story.workflow?.steps ?? []).filter((step) => typeof step === 'string' && !agents[step])
  const state = stateOf(story, answer, error)
  const result = state === 'completed' ? (answer ?? ANY) : ANY
  return {
    title: story.workflow?.name ?? ANY,
    request,
    answer: result,
    state,
    conversation: story.conversation ?? ANY,
    modelCalls: turns.length,
    inputTokens: sum(turns.map(({ tokens }) => tokens?.input ?? 0)) || undefined,
    outputTokens: sum(turns.map(({ tokens }) => tokens?.output ?? 0)) || undefined,
    waits: approvals.length + waitingSteps.length,
    guardrails: Object.values(agents).flatMap(({ guardrail }) => guardrail ?? []),
    agents: sequence.map((name, at) => ({
      ...agentOf(name, agents, story.answers !== false),
      ...(at === sequence.length - 1 && { answer: result }),
    })),
  }
}

/** The state of the plan after the story. At its limit, a framework reports an error, or returns an answer or null. */
function stateOf(
  { answers, cancelled, limit }: Story,
  answer: string | null | undefined,
  error: string | null,
): string {
  if (cancelled === true) return 'cancelled'
  if (answers === false) return 'waiting'
  return error === null && (limit === undefined || answer) ? 'completed' : 'failed'
}

/** The agents with the turns that answer a request. */
function turnsOf({ agents, request: first, limit = Infinity }: Story, request: string): Story['agents'] {
  const isAnswer = (turn: Turn) => (turn.request ?? first) === request
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [
      name,
      {
        ...agent,
        turns: agent.turns
          .filter(isAnswer)
          .flatMap((turn, at) => (at < limit ? [{ ...turn, isLast: at === limit - 1 }] : [])),
      },
    ]),
  )
}

function agentOf(name: string, agents: Story['agents'], isApproved: boolean): ToldAgent {
  const { turns } = agents[name]!
  return { name, answer: lastTextOf(turns), cycles: turns.map((turn) => cycleOf(turn, name, agents, isApproved)) }
}

function cycleOf(turn: Turn, name: string, agents: Story['agents'], isApproved: boolean): ToldCycle {
  const { text, calls, tokens, fails, delayMs, isLast } = turn
  const { tools } = agents[name]!
  // A handoff is not a tool call: the next agent is a sibling of this one.
  const called = calls.filter((call) => tools[call.name]?.handoff === undefined)
  const failed = called.find((call) => tools[call.name]?.error !== undefined)
  const error = fails?.message ?? (failed && tools[failed.name]!.error)
  return {
    text: text === '' ? ANY : text,
    status: delayMs === undefined && isApproved ? (error === undefined ? 'SUCCESS' : 'FAILED') : ANY,
    error: error === undefined ? (delayMs === undefined ? null : ANY) : containing(error),
    calls: [{ input: tokens?.input, output: tokens?.output, cached: tokens?.cached ?? 0 }],
    tools: called.map((call): ToldTool => {
      const { result, error, agent, approval, answers } = tools[call.name]!
      const returns = agent ? lastTextOf(agents[agent]!.turns) : answers ? call.arguments['answer'] : result
      return {
        id: call.id,
        name: call.name,
        arguments: call.arguments,
        // Some frameworks notice the limit before they run the last calls.
        result: error
          ? containing(error)
          : approval === true && !isApproved
            ? ANY
            : isLast
              ? either(returns, NOT_RUN)
              : returns,
        subPlan: agent ? [agentOf(agent, agents, isApproved)] : null,
      }
    }),
  }
}

/** An agent that hands over returns no answer. */
function lastTextOf(turns: readonly Turn[]): string | null {
  const last = turns.at(-1)
  return (
    last?.text || last?.calls.find(({ arguments: { answer } }) => answer !== undefined)?.arguments['answer'] || null
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
