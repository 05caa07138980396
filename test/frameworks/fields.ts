import { isLess, isRight } from './expected.js'
import type { ToldAgent, ToldCycle, ToldPlan, ToldTool } from './told.js'

/** How a field of a record compares with the story. */
export type Judgement = 'right' | 'not sent' | 'wrong'

const agentsIn = (agents: readonly ToldAgent[]): ToldAgent[] =>
  agents.flatMap((agent) => [agent, ...ownTools(agent).flatMap(({ subPlan }) => agentsIn(subPlan ?? []))])

const ownTools = ({ cycles }: ToldAgent) => cycles.flatMap(({ tools }) => tools)

const ofCycles = (read: (cycle: ToldCycle) => unknown) => (plan: ToldPlan) =>
  agentsIn(plan.agents).flatMap(({ cycles }) => cycles.map(read))

/** Concurrent calls start in any order, so their values are compared in the order of names. */
const ofTools = (read: (tool: ToldTool) => unknown) => (plan: ToldPlan) =>
  agentsIn(plan.agents).flatMap(({ cycles }) => cycles.flatMap(({ tools }) => byName(tools).map(read)))

const byName = (tools: readonly ToldTool[]) => tools.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))

/** The names of agents, with the agents that their tools called. */
const namesOf = (agents: readonly ToldAgent[]): unknown[] =>
  agents.map((agent) => [agent.name, ...ownTools(agent).flatMap(({ subPlan }) => (subPlan ? [namesOf(subPlan)] : []))])

/** The fields by which records are compared with stories. Each is compared on its own. */
export const FIELDS: Readonly<Record<string, (plan: ToldPlan) => unknown>> = {
  title: ({ title }) => title,
  request: ({ request }) => request,
  answer: ({ answer }) => answer,
  state: ({ state }) => state,
  conversation: ({ conversation }) => conversation,
  agents: ({ agents }) => namesOf(agents),
  'agent answers': ({ agents }) => agentsIn(agents).map(({ answer }) => answer),
  'model calls': (plan) => [plan.modelCalls, ofCycles(({ calls }) => calls.length)(plan)],
  'model texts': ofCycles(({ text }) => text),
  tokens: (plan) => [
    plan.inputTokens,
    plan.outputTokens,
    ofCycles(({ calls }) => calls.map(({ input, output }) => [input, output]))(plan),
  ],
  'cached tokens': ofCycles(({ calls }) => calls.map(({ cached }) => cached)),
  'tool calls': ofCycles(({ tools }) => byName(tools).map(({ name }) => name)),
  'call ids': ofTools(({ id }) => id),
  arguments: ofTools((tool) => tool.arguments),
  results: ofTools(({ result }) => result),
  errors: ofCycles(({ status, error }) => [status, error]),
  waits: ({ waits }) => waits,
  guardrails: ({ guardrails }) => guardrails,
}

/** Without these a record does not say what the run did. */
const VITAL = ['model calls', 'model texts', 'tool calls', 'arguments', 'results']

/** Compares each field of the records with the story. */
export function judge(told: readonly ToldPlan[], truth: readonly ToldPlan[]): Record<string, Judgement> {
  const values = (plans: readonly ToldPlan[], read: (plan: ToldPlan) => unknown) => plans.map(read)
  return Object.fromEntries(
    Object.entries(FIELDS).map(([field, read]) => {
      const [is, should] = [values(told, read), values(truth, read)]
      return [field, isRight(is, should) ? 'right' : isLess(is, should) ? 'not sent' : 'wrong']
    }),
  )
}

/**
 * Whether a record deserves its verdict. It is complete if nothing vital is missing. A run that was stopped may be
 * partial, because the interrupted call left no messages.
 */
export function deserves(
  verdict: string | null,
  plan: ToldPlan,
  judgements: Readonly<Record<string, Judgement>>,
): boolean {
  const hasAll = VITAL.every((field) => judgements[field] === 'right')
  return (verdict === 'complete') === hasAll || (verdict !== 'complete' && plan.state !== 'completed')
}
