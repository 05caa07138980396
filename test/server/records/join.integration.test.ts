import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SpanList } from '../../../src/wire/index.js'

import { startTestApp, type TestApp } from '../test-app.js'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/lynxe/${name}`, import.meta.url), 'utf8')
const details = fixture('details-waiting-input.json')
const execution = fixture('agent-execution-detail.json')

/** The details of a plan, and the execution of its first agent. */
const documents = (name: string) => ({
  plan: details.replaceAll('"plan-1767061562002"', `"plan-${name}"`).replaceAll('"step-a"', `"step-${name}"`),
  agent: execution.replaceAll('"step-353d351a-ce60-4142-8ce2-79beba213208"', `"step-${name}"`),
})

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.close())

const post = async (source: string, body: string) => {
  const response = await server.app.request(`/api/records?source=${source}`, { method: 'POST', body })
  expect(response.status).toBe(200)
}
const text = async (path: string) => (await server.app.request(path)).text()
const spanNames = async (id: string, query = '') =>
  (JSON.parse(await text(`/api/records/${id}/spans${query}`)) as SpanList).spans.map(({ name }) => name)

describe.each([
  ['plan first', ['plan', 'agent']],
  ['agent first', ['agent', 'plan']],
] as const)('the details of a plan and the execution of its agent, the %s', (order, kinds) => {
  const name = order.replace(' ', '-')
  const sent = documents(name)

  beforeAll(async () => {
    for (const kind of kinds) await post(name, sent[kind])
  })

  test('are each returned as they were imported', async () => {
    expect(await text(`/api/records/plan-${name}`)).toBe(sent.plan)
    expect(await text(`/api/records/plan-${name}?format=plan-execution`)).toBe(sent.plan)
    expect(await text(`/api/records/step-${name}`)).toBe(sent.agent)
    expect(await text(`/api/executor/details/plan-${name}`)).toBe(sent.plan)
    expect(await text(`/api/executor/agent-execution/step-${name}`)).toBe(sent.agent)
  })

  test('form one tree', async () => {
    const names = await spanNames(`plan-${name}`)
    expect(names.filter((span) => span.startsWith('agent_step'))).toHaveLength(2)
    expect(names.filter((span) => span.startsWith('invoke_agent'))).toHaveLength(2)
  })

  test.each(['trajectory', 'plan-act:session', 'plan-act:sse'])('form one record as %s', async (format) => {
    const response = await server.app.request(`/api/records/plan-${name}?format=${format}`)
    expect(await response.text()).toContain('file-service-group_write-file-operator')
    expect(response.headers.has('planspan-missing')).toBe(false)
  })
})

test('an execution of another source is not joined', async () => {
  const { plan, agent } = documents('apart')
  await post('here', plan)
  await post('there', agent)
  expect((await spanNames('plan-apart')).filter((span) => span.startsWith('agent_step'))).toEqual([])
})

test('the newest execution of an agent is joined', async () => {
  const { plan, agent } = documents('grown')
  const { thinkActSteps, ...rest } = JSON.parse(agent) as { thinkActSteps: object[]; endTime: number[] }
  const begun = JSON.stringify({
    ...rest,
    endTime: [2025, 12, 30, 10, 26, 3],
    thinkActSteps: thinkActSteps.slice(0, 1),
  })
  for (const body of [agent, plan, begun]) await post('grown', body)
  expect((await spanNames('plan-grown')).filter((span) => span.startsWith('agent_step'))).toHaveLength(2)
})

test('an agent of a sub-plan has the cycles of its own document', async () => {
  const { plan, agent } = documents('below')
  const outer = JSON.parse(documents('above').plan) as {
    agentExecutionSequence: { subPlanExecutionRecords: unknown[] }[]
  }
  const inner = { ...JSON.parse(plan), rootPlanId: 'plan-above', parentPlanId: 'plan-above' }
  outer.agentExecutionSequence[0]!.subPlanExecutionRecords = [inner]
  await post('nested', JSON.stringify(outer))
  await post('nested', agent)
  expect((await spanNames('plan-above')).filter((span) => span.startsWith('agent_step'))).toHaveLength(2)
  const answered = JSON.parse(await text('/api/executor/agent-execution/step-below')) as { thinkActSteps: unknown[] }
  expect(answered.thinkActSteps).toHaveLength(2)
})

test('a step whose own document has no cycles shows the cycles of its plan’s document', async () => {
  const { plan, agent } = documents('turned')
  const { thinkActSteps } = JSON.parse(agent) as { thinkActSteps: unknown[] }
  const full = JSON.parse(plan) as { agentExecutionSequence: { thinkActSteps: unknown[] }[] }
  full.agentExecutionSequence[0]!.thinkActSteps = thinkActSteps
  const bare = JSON.stringify({ ...JSON.parse(agent), thinkActSteps: [] })
  await post('turned', JSON.stringify(full))
  await post('turned', bare)
  expect(await text('/api/records/step-turned')).toBe(bare)
  const { steps } = JSON.parse(await text('/api/records/step-turned?format=trajectory')) as { steps: unknown[] }
  expect(steps).toHaveLength(2)
})
