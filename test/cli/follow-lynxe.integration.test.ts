import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { startLynxe } from '../support/lynxe-server.mjs'
import { runCli, startServe, type Serving } from './run-cli.js'
import { startFollow } from './start-follow.js'

interface Agent {
  stepId: string
  status: string
  startTime: number[]
  endTime: number[] | null
  thinkActSteps: { actToolInfoList: { result: string | null }[] }[]
  subPlanExecutionRecords: Plan[]
}
interface Plan {
  currentPlanId: string
  rootPlanId: string
  completed: boolean
  endTime: number[] | null
  summary: string | null
  userInputWaitState: object | null
  agentExecutionSequence: Agent[]
}

/** Responses of Lynxe itself; test/originals describes how they were recorded. */
const { answers } = JSON.parse(readFileSync(new URL('../originals/data/lynxe.json', import.meta.url), 'utf8')) as {
  answers: Record<string, { details: Plan; agentExecutions: Record<string, Agent> }>
}

/** A plan with the cycles of its agents, under its own id. */
function planOf(run: string, id: string): Plan {
  const { details, agentExecutions } = structuredClone(answers[run]!)
  const fill = (plan: Plan): Plan => ({
    ...plan,
    agentExecutionSequence: plan.agentExecutionSequence.map((agent) => ({
      ...agent,
      thinkActSteps: agentExecutions[agent.stepId]?.thinkActSteps ?? [],
      subPlanExecutionRecords: agent.subPlanExecutionRecords.map(fill),
    })),
  })
  return { ...fill(details), currentPlanId: id, rootPlanId: id }
}

let data: string
let serving: Serving
let lynxe: Awaited<ReturnType<typeof startLynxe>>
let state = 0

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(data, 'store')])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})
beforeEach(async () => {
  lynxe = await startLynxe()
  state++
})
afterEach(() => lynxe.close())

const following = (...more: string[]) => [
  lynxe.url,
  '--endpoint',
  serving.line.url,
  '--state',
  join(data, `${String(state)}.json`),
  ...more,
]

/** The listed values of a plan. */
async function stateOf(planId: string): Promise<string | undefined> {
  const response = await fetch(`${serving.line.url}/api/records`)
  const { records } = (await response.json()) as { records: { planId: string; state: string }[] }
  const found = records.filter((plan) => plan.planId === planId)
  expect(found.length).toBeLessThanOrEqual(1)
  return found[0]?.state
}

const recordOf = async (planId: string): Promise<unknown> =>
  (await fetch(`${serving.line.url}/api/records/${planId}`)).json()

/** The cycles without their only time, which is that of the response. */
const withoutReadingTimes = (plan: unknown): unknown =>
  JSON.parse(JSON.stringify(plan, (key, value: unknown) => (key === 'thinkStartTime' ? null : value)))

describe('planspan follow of a Lynxe server', () => {
  test('imports whole plans with their sub-plans, once', async () => {
    lynxe.plans.set('whole', planOf('a plan with a sub-plan', 'whole'))
    lynxe.conversations.set('a', ['chat-1_2_3', 'whole'])
    const first = await runCli(['follow', ...following('--once')])
    expect(first).toMatchObject({ code: 0, out: '1 plan: 1 record, 18 spans\n' })
    expect(withoutReadingTimes(await recordOf('whole'))).toEqual(withoutReadingTimes(lynxe.plans.get('whole')))
    lynxe.requests.length = 0
    expect(await runCli(['follow', ...following('--once')])).toMatchObject({ out: '0 plans: 0 records, 0 spans\n' })
    expect(lynxe.requests).toEqual(['/api/memories'])
  })

  test('updates a running plan whenever anything in it changes', async () => {
    const plan = planOf('a plan in flight', 'flying')
    lynxe.plans.set('flying', plan)
    lynxe.conversations.set('a', ['flying'])
    const follow = startFollow(following())
    await follow.until(({ planId }) => planId === 'flying')
    expect(await stateOf('flying')).toBe('running')

    // Neither the times nor the number of parts show that this is the earlier generation.
    const waiting = { planId: 'flying', title: 'Which?', waiting: true, formDescription: '', formInputs: [] }
    lynxe.plans.set('flying', { ...plan, userInputWaitState: waiting } as Plan)
    await follow.until((event) => event.state === 'waiting')
    expect(await stateOf('flying')).toBe('waiting')
    const working = structuredClone(plan)
    working.agentExecutionSequence[1]!.thinkActSteps[0]!.actToolInfoList[0]!.result = 'a new result'
    const count = follow.events.length
    lynxe.plans.set('flying', working)
    await follow.until((event) => follow.events.indexOf(event) >= count && event.state === 'running')
    expect(await stateOf('flying')).toBe('running')
    expect(withoutReadingTimes(await recordOf('flying'))).toEqual(withoutReadingTimes(working))

    const [year, month, day, ...time] = plan.agentExecutionSequence[0]!.startTime
    const endTime = [year!, month!, day!, ...time.with(2, time[2]! + 1)]
    lynxe.plans.set('flying', { ...working, completed: true, endTime, summary: 'Done.' } as Plan)
    await follow.until((event) => event.state === 'completed')
    expect(await stateOf('flying')).toBe('completed')
    expect(await follow.end()).toBe(0)
    expect(follow.events.at(-1)).toMatchObject({ event: 'ended', plans: 1, records: 4, refused: 0 })
  })

  test('a response that is not a plan is reported, and the others are imported', async () => {
    lynxe.plans.set('good', planOf('a plan that fails', 'good'))
    lynxe.plans.set('failing', planOf('a plan with a sub-plan', 'failing'))
    lynxe.errors.set('failing', 'java.lang.RuntimeException: no model')
    lynxe.conversations.set('a', ['failing', 'gone', 'good'])
    const follow = startFollow(following())
    await follow.until(({ planId }) => planId === 'failing')
    await follow.until(({ planId }) => planId === 'good')
    expect(follow.events[0]).toEqual({ event: 'remark', message: expect.stringMatching(/^failing: .*no model/) })
    expect(await follow.end('SIGTERM')).toBe(0)
  })

  test('continues when Lynxe is back, and finds plans of conversations that it no longer lists', async () => {
    lynxe.conversations.set('old', [])
    const follow = startFollow(following())
    const isAsked = async (path: string) => {
      while (!lynxe.requests.includes(path)) await new Promise(setImmediate)
    }
    await isAsked('/api/memories')
    const { port, conversations } = lynxe
    await lynxe.close()
    await follow.until(({ event }) => event === 'source_away')
    lynxe = await startLynxe(port)
    for (let n = 0; n < 15; n++) lynxe.conversations.set(`new-${String(n)}`, [])
    for (const [id] of conversations) lynxe.conversations.set(id, ['late'])
    lynxe.plans.set('late', planOf('a plan that fails', 'late'))
    await follow.until(({ event }) => event === 'source_back')
    await follow.until(({ planId }) => planId === 'late')
    expect(follow.events.filter(({ event }) => event !== 'imported').map(({ event }) => event)).toEqual([
      'source_away',
      'source_back',
    ])
    expect(await follow.end()).toBe(0)
  })

  test('follows one plan to its end by the URL of its details', async () => {
    lynxe.plans.set('one', planOf('a plan with a sub-plan', 'one'))
    const [url = '', ...rest] = following()
    const { code, out } = await runCli(['follow', `${url}/api/executor/details/one`, ...rest])
    expect({ code, out }).toEqual({ code: 0, out: '1 plan: 1 record, 18 spans\n' })
    expect(lynxe.requests).not.toContain('/api/memories')
  })

  test('reports what is wrong', async () => {
    await lynxe.close()
    const { code, err } = await runCli(['follow', ...following('--once')])
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/Lynxe cannot be read .*ECONNREFUSED/) })
    lynxe = await startLynxe()
  })
})
