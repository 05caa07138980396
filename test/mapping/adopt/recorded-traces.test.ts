import { describe, expect, it } from 'vitest'

import { decodeRecord, treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { FOREIGN_TRACES, foreignRows } from '../../support/foreign-traces.js'

interface Cycle {
  readonly errorMessage: string | null
  readonly thinkStartTime: string | null
  readonly actToolInfoList: readonly { readonly name: string }[] | null
}
interface Agent {
  readonly agentName: string
  readonly status: string
  readonly thinkActSteps: readonly Cycle[]
  readonly subPlanExecutionRecords: readonly PlanRecord[]
}
interface PlanRecord {
  readonly planId: string
  readonly agentExecutionSequence: readonly Agent[]
  readonly planspan: {
    readonly foreign: { readonly convention: string; readonly explicitPlan: boolean }
    readonly modelCalls: number
    readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
    readonly waits?: readonly unknown[]
  }
}

const recordOf = (file: string): PlanRecord => JSON.parse(decodeRecord(foreignRows(file))?.text ?? 'null') as PlanRecord

/** The agents of a plan and its sub-plans. */
const agentsOf = ({ agentExecutionSequence }: PlanRecord): Agent[] =>
  agentExecutionSequence.flatMap((agent) => [agent, ...agent.subPlanExecutionRecords.flatMap(agentsOf)])

/** The values in the terms of Lynxe's records. */
const STATUS = { RUNNING: 'RUNNING', COMPLETED: 'FINISHED' } as const

describe.each(FOREIGN_TRACES)('the trace of $file', (labels) => {
  const record = recordOf(labels.file)
  const agents = agentsOf(record)
  const cycles = agents.flatMap(({ thinkActSteps }) => thinkActSteps)
  const tools = cycles.flatMap(({ actToolInfoList }) => (actToolInfoList ?? []).map(({ name }) => name))

  it('is one plan with the trace’s id, and names its convention', () => {
    const [{ traceId } = { traceId: '' }] = foreignRows(labels.file)
    expect(record.planId).toBe(traceId)
    expect(record.planspan.foreign).toEqual({ convention: expect.any(String), explicitPlan: labels.plans === 1 })
  })

  it('has the agents, cycles, calls, errors and waits in the label', () => {
    expect(agents.map(({ agentName }) => agentName)).toEqual(labels.agents)
    if (typeof labels.thinkActCycles === 'number') expect(cycles).toHaveLength(labels.thinkActCycles)
    const wanted = [...(labels.toolCalls ?? [])]
    expect(labels.toolCallsUnordered ? tools.toSorted() : tools).toEqual(
      labels.toolCallsUnordered ? wanted.toSorted() : wanted,
    )
    expect(cycles.filter(({ errorMessage }) => errorMessage !== null)).toHaveLength(labels.errors)
    expect(record.planspan.waits ?? []).toHaveLength(labels.waits ?? 0)
  })

  it('has the model calls and tokens in the label', () => {
    expect(record.planspan.modelCalls).toBe(labels.llmCalls)
    if (labels.tokens) {
      expect(record.planspan.usage).toMatchObject({
        inputTokens: labels.tokens.input,
        outputTokens: labels.tokens.output,
      })
    }
  })

  it('has the state in the label, and lacks nothing that was recorded', () => {
    const decoded = decodeRecord(foreignRows(labels.file))
    expect({ verdict: decoded?.verdict, missing: decoded?.missing }).toEqual({
      verdict: labels.withoutContents ? 'redacted' : 'complete',
      missing: [],
    })
    expect(decoded?.state).toBe(labels.agentState === 'RUNNING' ? 'running' : 'completed')
    if (labels.agentState) expect(record.agentExecutionSequence[0]?.status).toBe(STATUS[labels.agentState])
  })

  it('has the guardrails in the label', () => {
    const guardrails = treeSpans(foreignRows(labels.file)).filter(
      ({ attributes }) => attributes[ATTR.spanKind] === 'guardrail',
    )
    expect(guardrails.map(({ attributes }) => attributes[ATTR.guardrailName])).toEqual(labels.guardrails ?? [])
  })
})
