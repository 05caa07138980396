import type { ActToolInfo, AgentExecutionRecord, PlanExecutionRecord, ThinkActRecord } from '../../src/records/index.js'

/** A record in the terms of a story. */
export interface ToldPlan {
  readonly title: unknown
  readonly request: unknown
  readonly answer: unknown
  readonly modelCalls: unknown
  readonly inputTokens: unknown
  readonly outputTokens: unknown
  readonly waits: number
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
  /** Input and output tokens of each model call of the cycle itself. */
  readonly tokens: readonly (readonly [input: unknown, output: unknown])[]
  readonly tools: readonly ToldTool[]
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
}

/** The contents of a record. */
export function toldBy(record: PlanExecutionRecord): ToldPlan {
  const { usage, modelCalls, waits } = extraOf(record)
  return {
    title: record.title,
    request: record.userRequest,
    answer: record.summary,
    modelCalls,
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
    waits: waits?.length ?? 0,
    agents: agentsOf(record),
  }
}

const extraOf = (record: object) => ((record as { planspan?: Extra }).planspan ?? {}) as Extra

const agentsOf = ({ agentExecutionSequence }: PlanExecutionRecord) => (agentExecutionSequence ?? []).map(toldAgent)

function toldAgent(agent: AgentExecutionRecord): ToldAgent {
  const { agentName, result, thinkActSteps, subPlanExecutionRecords } = agent
  const subPlans = subPlanExecutionRecords ?? []
  return { name: agentName, answer: result, cycles: (thinkActSteps ?? []).map((cycle) => toldCycle(cycle, subPlans)) }
}

function toldCycle(cycle: ThinkActRecord, subPlans: readonly PlanExecutionRecord[]): ToldCycle {
  const { modelCalls } = extraOf(cycle)
  return {
    text: cycle.thinkOutput,
    status: cycle.status,
    error: cycle.errorMessage,
    tokens: (Array.isArray(modelCalls) ? (modelCalls as Record<string, unknown>[]) : []).map((call) => [
      call['inputTokens'],
      call['outputTokens'],
    ]),
    // Concurrent calls start in any order.
    tools: (cycle.actToolInfoList ?? [])
      .map((call) => toldTool(call, subPlans))
      .toSorted((a, b) => String(a.id).localeCompare(String(b.id))),
  }
}

function toldTool({ id, name, parameters, result }: ActToolInfo, subPlans: readonly PlanExecutionRecord[]): ToldTool {
  const started = subPlans.find(({ toolCallId }) => toolCallId === id)
  return {
    id,
    name,
    arguments: typeof parameters === 'string' ? (JSON.parse(parameters) as unknown) : parameters,
    result,
    subPlan: started ? agentsOf(started) : null,
  }
}
