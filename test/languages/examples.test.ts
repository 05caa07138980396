import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import type { SpanList } from '../../src/wire/index.js'
import { startServe, type Serving } from '../cli/run-cli.js'
import { liveCheck } from '../conventions/live-check.js'
import { startSpanReceiver } from '../conventions/span-receiver.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { playDistributedPlan } from '../support/distributed-plan.js'

let store: FreshDatabase
let serving: Serving

beforeAll(async () => {
  store = await freshDatabase()
  serving = await startServe(['--clickhouse', store.url, '--database', store.database])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  await store.drop()
})

/** Starts an example. @default it sends to the server */
function start([command = '', ...args]: readonly string[], url = serving.line.url): ChildProcess {
  const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: url }
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A plan's record from GET, with its metadata. */
async function read(planId: string) {
  const response = await fetch(`${serving.line.url}/api/records/${planId}`)
  expect(response.status).toBe(200)
  const { headers } = response
  return {
    verdict: headers.get('planspan-verdict'),
    state: headers.get('planspan-state'),
    record: (await response.json()) as object,
  }
}

const SOON = { timeout: 30_000, interval: 100 }

const tokens = { inputTokens: 120, outputTokens: 8, totalTokens: 128 }

const ANSWERED = {
  verdict: 'complete',
  state: 'completed',
  record: {
    title: 'Weather in Lisbon',
    userRequest: 'How warm is it?',
    steps: ['Look the temperature up'],
    completed: true,
    summary: 'Answered after one look at the thermometer.',
    planspan: { usage: tokens },
    agentExecutionSequence: [
      {
        agentName: 'meteorologist',
        status: 'FINISHED',
        result: 'It is 24 °C.',
        errorMessage: null,
        thinkActSteps: [
          {
            status: 'SUCCESS',
            thinkInput: 'Which tool?',
            thinkOutput: 'The thermometer.',
            actionNeeded: true,
            actToolInfoList: [
              { name: 'thermometer', id: 'call-1', parameters: '{"city":"Lisbon"}', result: '{"celsius":24}' },
            ],
            planspan: { modelCalls: [{ model: 'small-model', inputTokens: 120, outputTokens: 8 }] },
          },
        ],
      },
    ],
  },
}

/** The number of a plan's latest snapshot. */
async function snapshotOf(planId: string): Promise<number> {
  const response = await fetch(`${serving.line.url}/api/records/${planId}/spans`)
  const { spans } = (await response.json()) as SpanList
  return Number(spans[0]?.attributes[ATTR.snapshotSeq])
}

/** The observed state of the long plan while its agent is in the tool call. */
const booking = (plan: object, agent: object, call: object) => ({
  verdict: 'complete',
  ...plan,
  record: {
    title: 'A trip to Porto',
    agentExecutionSequence: [
      {
        agentName: 'booker',
        ...agent,
        thinkActSteps: [{ actToolInfoList: [{ name: 'book', parameters: '{"train":"IC 527"}', ...call }] }],
      },
    ],
  },
})
const OPEN = [{ status: 'RUNNING', endTime: null }, { result: null }] as const

describe.each(inject('examples'))('%s', (_, { quickStart, longPlan }) => {
  test('the quick start sends a whole plan', async () => {
    const child = start(quickStart)
    const [said, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')])
    expect(code).toBe(0)
    const [, planId = ''] = /^planspan show (\S+)\n$/.exec(said) ?? []
    expect(await read(planId)).toMatchObject(ANSWERED)
  })

  test('the spans of the quick start follow the released conventions', async () => {
    const receiver = await startSpanReceiver()
    onTestFinished(() => receiver.close())
    expect(await once(start(quickStart, receiver.url), 'exit')).toEqual([0, null])
    expect(receiver.spans.map(({ name }) => name)).toContain('execute_tool thermometer')
    expect(receiver.spans.flatMap(liveCheck)).toEqual([])
  })

  test('a plan is visible while it runs and, after kill -9, as interrupted', async () => {
    const planId = `plan-${randomUUID()}`
    const child = start([...longPlan, planId])
    await expect.poll(() => read(planId), SOON).toMatchObject(booking({ state: 'running' }, ...OPEN))
    child.kill('SIGKILL')
    await expect.poll(() => read(planId), SOON).toMatchObject(booking({ state: 'interrupted' }, ...OPEN))
  })

  test('a plan sends heartbeats while nothing changes, and is complete after it has ended', async () => {
    const planId = `plan-${randomUUID()}`
    const child = start([...longPlan, planId])
    await expect.poll(() => snapshotOf(planId), SOON).toBeGreaterThan(1)
    await expect.poll(() => read(planId), SOON).toMatchObject(booking({ state: 'running' }, ...OPEN))
    child.stdin!.write('\n')
    expect(await once(child, 'exit')).toEqual([0, null])
    const ended = booking({ state: 'completed' }, { status: 'FINISHED' }, { result: 'booked' })
    expect(await read(planId)).toMatchObject(ended)
  })
})

const WORKERS = inject('examples').flatMap(([name, { worker }]) => (worker ? [[name, worker] as const] : []))

test.each(WORKERS)('a worker in %s belongs to the plan that calls it', async (_, worker) => {
  const planId = await playDistributedPlan(worker, serving.line.url)
  expect(await read(planId)).toMatchObject({
    verdict: 'complete',
    state: 'completed',
    record: {
      planspan: { usage: { inputTokens: 9600, outputTokens: 340 } },
      agentExecutionSequence: [
        { subPlanExecutionRecords: [{ toolCallId: 'call-1', agentExecutionSequence: [{ agentName: 'analyst' }] }] },
      ],
    },
  })
})
