import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  decodeRecord,
  encodeRecords,
  foldSpans,
  joinAgents,
  stepsWithoutCycles,
  toStoredSpan,
} from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { lynxePlan } from '../../support/plan-execution-records.js'

interface Agent {
  stepId: string
  thinkActSteps: object[]
  subPlanExecutionRecords: Plan[]
}

interface Plan {
  currentPlanId: string
  rootPlanId: string
  agentExecutionSequence: Agent[]
}

/** A full plan, its details as Lynxe returns them, and the execution of each of its agents. */
interface Documents {
  readonly full: Plan
  readonly details: Plan
  readonly executions: Agent[]
}

/** A plan whose steps and sub-plans have their own ids, as in Lynxe. */
const documents: fc.Arbitrary<Documents> = lynxePlan.map((record) => {
  const full = structuredClone(record) as Plan
  let next = 0
  const name = (plan: Plan): void => {
    plan.currentPlanId = `plan-${next++}`
    plan.rootPlanId = 'plan-0'
    for (const agent of plan.agentExecutionSequence) {
      agent.stepId = `step-${next++}`
      for (const subPlan of agent.subPlanExecutionRecords) name(subPlan)
    }
  }
  name(full)
  const withoutCycles = (plan: Plan): Plan => ({
    ...plan,
    agentExecutionSequence: plan.agentExecutionSequence.map((agent) => ({ ...withSubPlans(agent), thinkActSteps: [] })),
  })
  const withSubPlans = (agent: Agent): Agent => ({
    ...agent,
    subPlanExecutionRecords: agent.subPlanExecutionRecords.map(withoutCycles),
  })
  const agentsOf = (plan: Plan): Agent[] =>
    plan.agentExecutionSequence.flatMap((agent) => [agent, ...agent.subPlanExecutionRecords.flatMap(agentsOf)])
  return { full, details: withoutCycles(full), executions: agentsOf(full).map(withSubPlans) }
})

const stored = (document: unknown): StoredSpan[] =>
  [...encodeRecords(Buffer.from(JSON.stringify(document)))].flatMap(({ spans }) => spans.map(toStoredSpan))

/** Attributes of the document that a span was imported from, not of its content. */
const OF_THE_DOCUMENT: ReadonlySet<string> = new Set([
  ATTR.recordDigest,
  ATTR.recordSpanCount,
  ATTR.recordEra,
  ATTR.residual,
  ATTR.timeSynthetic,
  ATTR.planParentToolCall,
])

/** The tree of spans: each with its parents' names and positions, without ids and times. */
function treeOf(spans: Iterable<StoredSpan>): unknown[] {
  const byId = new Map(foldSpans(spans).map((span) => [span.spanId, span]))
  const pathOf = (span: StoredSpan): string => {
    const parent = byId.get(span.parentSpanId)
    return `${parent ? pathOf(parent) : span.parentSpanId}/${span.name}:${span.attributes[ATTR.seq] ?? ''}`
  }
  return [...byId.values()]
    .map((span) => ({
      path: pathOf(span),
      attributes: Object.fromEntries(Object.entries(span.attributes).filter(([key]) => !OF_THE_DOCUMENT.has(key))),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

describe('the details of a plan and the executions of its agents', () => {
  test('form the complete spans of the plan, in any order of joining', () => {
    fc.assert(
      fc.property(
        documents.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all.executions, { minLength: all.executions.length })),
        ),
        ([{ full, details }, executions]) => {
          let spans: readonly StoredSpan[] = stored(details)
          // An agent of a sub-plan has a position only after its parent agent has one.
          for (let round = 0; round < 3; round++) {
            for (const execution of executions) spans = joinAgents(spans, stored(execution))
          }
          expect(treeOf(spans)).toEqual(treeOf(stored(full)))
          expect(decodeRecord(spans, { format: 'trajectory' })).toMatchObject({ missing: [] })
          expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('an agent with cycles uses no cycles of another trace', () => {
    fc.assert(
      fc.property(documents, ({ full, executions }) => {
        const spans = foldSpans(stored(full))
        for (const execution of executions) expect(joinAgents(spans, stored(execution))).toEqual(spans)
      }),
      { numRuns: 10 },
    )
  })

  test('an execution without cycles uses those of a plan that has them', () => {
    fc.assert(
      fc.property(documents, ({ full, executions }) => {
        for (const execution of executions) {
          const bare = stored({ ...execution, thinkActSteps: [] })
          const joined = joinAgents(bare, stored(full))
          expect(stepsWithoutCycles(bare)).toContain(execution.stepId)
          expect(stepsWithoutCycles(joined).includes(execution.stepId)).toBe(execution.thinkActSteps.length === 0)
          expect(decodeRecord(joined, { format: 'trajectory' })).toMatchObject({ missing: [] })
        }
      }),
      { numRuns: 10 },
    )
  })

  test('a cycle that is missing from the other trace stays missing', () => {
    const cycle = { id: 1, thinkInput: 'in', actToolInfoList: null }
    const agent = {
      stepId: 's',
      agentName: 'a',
      thinkActSteps: [cycle, { ...cycle, id: 2 }],
      subPlanExecutionRecords: [],
    }
    const plan = { currentPlanId: 'p', rootPlanId: 'p', agentExecutionSequence: [{ ...agent, thinkActSteps: [] }] }
    const donor = stored(agent).filter(({ attributes }) => attributes[ATTR.recordId] !== '2')
    expect(decodeRecord(joinAgents(stored(plan), donor), { format: 'trajectory' })).toMatchObject({
      verdict: 'partial',
      missing: ['1 of 2 think_act spans below "invoke_agent a"'],
    })
  })
})
