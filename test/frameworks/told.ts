import type { ActToolInfo, AgentExecutionRecord, PlanExecutionRecord, ThinkActRecord } from '../../src/records/index.js'
import { NOT_RUN } from './expected.js'

/** A record in the terms of a story. */
export interface ToldPlan {
  readonly title: unknown
  readonly request: unknown
  readonly answer: unknown
  readonly state: unknown
  readonly conversation: unknown
  readonly modelCalls: unknown
  readonly inputTokens: unknown
  readonly outputTokens: unknown
  readonly waits: number
  /** The names of the guardrails that found a risk. */
  readonly guardrails: readonly unknown[]
  readonly agents: readonly ToldAgent[]
}

export interface ToldAgent {
  readonly name: unknown
  readonly answer: unknown
  readonly cycles: readonly ToldCycle[]
}

export interface ToldCycle {
  readonly text: unknown
  readonly status: unknown
  readonly error: unknown
  /** The model calls of the cycle itself. */
  readonly calls: readonly ToldCall[]
  readonly tools: readonly ToldTool[]
}

export interface ToldCall {
  readonly input: unknown
  readonly output: unknown
  readonly cached: unknown
}

export interface ToldTool {
  readonly id: unknown
  readonly name: unknown
  readonly arguments: unknown
  readonly result: unknown
  /** The agents of the plan that the call started. */
  readonly subPlan: readonly ToldAgent[] | null
}

/** Values in records of foreign traces besides the keys of their format. */
interface Extra {
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number }
  readonly modelCalls?: unknown
  readonly waits?: readonly unknown[]
  readonly state?: string
  readonly risk?: { readonly assessments?: readonly { readonly name?: unknown; readonly isSafe?: unknown }[] }
}

/** The contents of a record. */
export function toldBy(record: PlanExecutionRecord, around: Pick<ToldPlan, 'state' | 'conversation'>): ToldPlan {
  const { usage, modelCalls, waits } = extraOf(record)
  const agents = agentsOf(record)
  return {
    title: record.title,
    request: record.userRequest,
    answer: record.summary,
    ...around,
    // Records of other instrumentations contain the number; planspan's own plans list the calls of their cycles.
    modelCalls: typeof modelCalls === 'number' ? modelCalls : callsOf(agents),
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
    waits: waits?.length ?? 0,
    guardrails: guardrailsIn(record),
    agents,
  }
}

const callsOf = (agents: readonly ToldAgent[]): number =>
  agents.flatMap(({ cycles }) => cycles.map(({ calls }) => calls.length)).reduce((a, b) => a + b, 0)

const extraOf = (record: object) => ((record as { planspan?: Extra }).planspan ?? {}) as Extra

const agentsOf = ({ agentExecutionSequence }: PlanExecutionRecord) => (agentExecutionSequence ?? []).map(toldAgent)

function guardrailsIn(plan: PlanExecutionRecord): readonly unknown[] {
  const agents = plan.agentExecutionSequence ?? []
  return [plan, ...agents, ...agents.flatMap(({ thinkActSteps }) => thinkActSteps ?? [])]
    .flatMap((each) => extraOf(each).risk?.assessments ?? [])
    .flatMap(({ name, isSafe }) => (isSafe === false ? [name] : []))
}

function toldAgent(agent: AgentExecutionRecord): ToldAgent {
  const { agentName, result, thinkActSteps, subPlanExecutionRecords } = agent
  const subPlans = subPlanExecutionRecords ?? []
  const cycles = (thinkActSteps ?? []).map((cycle) => toldCycle(cycle, subPlans))
  // A guardrail outside of any cycle has a cycle of its own.
  return {
    name: agentName,
    answer: result,
    cycles: cycles.filter(({ calls, tools }) => calls.length + tools.length > 0),
  }
}

function toldCycle(cycle: ThinkActRecord, subPlans: readonly PlanExecutionRecord[]): ToldCycle {
  const { modelCalls } = extraOf(cycle)
  const calls = Array.isArray(modelCalls) ? (modelCalls as Record<string, unknown>[]) : []
  return {
    text: cycle.thinkOutput,
    status: cycle.status,
    error: cycle.errorMessage,
    calls: calls.map((call) => ({
      input: call['inputTokens'],
      output: call['outputTokens'],
      cached: call['cacheReadTokens'] ?? 0,
    })),
    tools: (cycle.actToolInfoList ?? []).map((call) => toldTool(call, subPlans)),
  }
}

function toldTool(call: ActToolInfo, subPlans: readonly PlanExecutionRecord[]): ToldTool {
  const { id, name, parameters } = call
  const started = subPlans.find(({ toolCallId }) => toolCallId === id)
  const result = extraOf(call).state === 'cancelled' ? NOT_RUN : call.result
  return { id, name, arguments: dataOf(parameters), result, subPlan: started ? agentsOf(started) : null }
}

/** Arguments as data. Text that is not JSON stays text. */
function dataOf(parameters: unknown): unknown {
  if (typeof parameters !== 'string') return parameters
  try {
    return JSON.parse(parameters)
  } catch {
    return parameters
  }
}
