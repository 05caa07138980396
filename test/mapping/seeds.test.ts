import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { decodeRecord, encodeRecords, joinAgents, toStoredSpan, type DialectName } from '../../src/mapping/index.js'
import { ATTR, type Role, type Span, type State } from '../../src/semconv/index.js'

const directory = new URL('../fixtures/seeds/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, directory))

interface Seed {
  readonly dialect: DialectName
  readonly state: State
  readonly planId: string | RegExp
  /** The number of its spans by role. */
  readonly roles: Partial<Record<Role, number>>
}

const trajectoryRoles = { plan: 1, agent: 1, think_act: 2, llm: 8, guardrail: 4, tool: 2 }
const reviewRoles = { plan: 1, agent: 1, tool: 2 }
const HASH = /^[0-9a-f]{64}$/

const SEEDS: Readonly<Record<string, Seed>> = {
  'plan-execution-record.json': {
    dialect: 'plan-execution',
    state: 'running',
    planId: 'plan_1743142451689',
    roles: { plan: 1, agent: 1, think_act: 1, llm: 1, tool: 1 },
  },
  'execution-details.json': {
    dialect: 'plan-execution',
    state: 'completed',
    planId: 'plan-1760434200000',
    roles: { plan: 2, agent: 2, wait: 1 },
  },
  'agent-execution.json': {
    dialect: 'plan-execution',
    state: 'completed',
    planId: 'step-search',
    roles: { agent: 1, think_act: 2, llm: 2, tool: 2 },
  },
  'execution-trajectory.json': {
    dialect: 'trajectory',
    state: 'completed',
    planId: /^[0-9a-f]{16}$/,
    roles: trajectoryRoles,
  },
  'execution-trajectory-proposed.json': {
    dialect: 'trajectory',
    state: 'completed',
    planId: /^4bcb1253-a636-4df4-8cb0-a35c04dfef31-[0-9a-f]{16}$/,
    roles: trajectoryRoles,
  },
  'planner-review-log.json': { dialect: 'review-log', state: 'completed', planId: HASH, roles: reviewRoles },
  'planner-review-log.jsonl': { dialect: 'review-log', state: 'completed', planId: HASH, roles: reviewRoles },
  'plan-agent.jsonl': {
    dialect: 'plan-act:events',
    state: 'completed',
    planId: 'plan-1',
    roles: { plan: 1, planning: 5, agent: 4, think_act: 4, tool: 4 },
  },
  'plan-agent-failed.jsonl': {
    dialect: 'plan-act:events',
    state: 'failed',
    planId: 'plan-1',
    roles: { plan: 1, planning: 1, agent: 1 },
  },
}

const rolesOf = (spans: readonly Span[]): Partial<Record<string, number>> => {
  const counts: Partial<Record<string, number>> = {}
  for (const { attributes } of spans) {
    const role = String(attributes[ATTR.spanKind])
    counts[role] = (counts[role] ?? 0) + 1
  }
  return counts
}

test('every seed has an entry here', () => {
  expect(
    readdirSync(directory)
      .filter((name) => name !== 'README.md')
      .sort(),
  ).toEqual(Object.keys(SEEDS).sort())
})

describe.each(Object.entries(SEEDS))('%s', (name, { dialect, state, planId, roles }) => {
  const records = [...encodeRecords(read(name))]

  test('is detected by its content', () => {
    expect(records).toMatchObject([
      { dialect, planId: typeof planId === 'string' ? planId : expect.stringMatching(planId) },
    ])
    expect(rolesOf(records[0]!.spans)).toEqual(roles)
  })

  test('is rebuilt byte for byte', () => {
    const rows = records[0]!.spans.map(toStoredSpan)
    expect(decodeRecord(rows.toReversed())).toMatchObject({
      text: read(name).toString(),
      verdict: 'complete',
      missing: [],
      state,
    })
  })
})

test('the details of the plan and the execution of its agent form one tree', () => {
  const [plan, agent] = ['execution-details.json', 'agent-execution.json'].map((name) =>
    [...encodeRecords(read(name))].flatMap(({ spans }) => spans.map(toStoredSpan)),
  )
  const joined = joinAgents(plan!, agent!)
  const record = decodeRecord(joined, { stepId: 'step-search', form: 'lynxe-agent-execution' })
  expect(JSON.parse(record!.text)).toMatchObject({
    thinkActSteps: [{ actToolInfoList: [{ id: 'call_1' }] }, { actToolInfoList: [{ id: 'call_2' }] }],
    subPlanCount: 1,
    subPlanExecutionRecords: [{ currentPlanId: 'sub-1760434206000' }],
  })
})
