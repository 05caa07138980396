import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startServer, type RunningServer } from '../../../src/server/index.js'
import { createLynxeRecorder, createManusRecorder, register, type Registration } from '../../../src/tracing/index.js'
import { freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'

let fresh: FreshDatabase
let server: RunningServer
let registration: Registration

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ clickhouse: fresh.url, database: fresh.database, port: 0 })
  registration = await register({ endpoint: server.url })
})
afterAll(async () => {
  await registration.shutdown()
  await server.close()
  await fresh.drop()
})

const lynxe = createLynxeRecorder()
const stepOf = (plan: string, index: number) => ({
  stepId: `step-${plan}-${String(index)}`,
  stepIndex: index,
  stepRequirement: `[WRITER] part ${String(index)}`,
})

/** Starts a plan of three steps and its first step. */
function begin(plan: string): void {
  const steps = [0, 1, 2].map((index) => stepOf(plan, index))
  lynxe.recordPlanExecutionStart(plan, 'Article', 'Write', steps, null, plan, null)
  lynxe.recordStepStart(stepOf(plan, 0), plan)
}

const CALL = { name: 'delegate', parameters: '{}', toolCallId: 'toolcall-1' }
const manusStep = (id: string) => ({ id, description: `Do ${id}`, status: 'pending' as const, success: false })
const at = { id: 'e', timestamp: '2026-03-04T12:00:00.000000' }

/** A plan's course, its id, and the ids of the steps that no agent has started. */
const COURSES: readonly [course: string, planId: string, pending: readonly string[], run: () => void][] = [
  ['runs', 'plan-runs', ['step-plan-runs-1', 'step-plan-runs-2'], () => begin('plan-runs')],
  [
    'has failed',
    'plan-failed',
    ['step-plan-failed-1', 'step-plan-failed-2'],
    () => {
      begin('plan-failed')
      lynxe.recordStepEnd({ ...stepOf('plan-failed', 0), errorMessage: 'no network' }, 'plan-failed')
      lynxe.recordPlanCompletion('plan-failed', null)
    },
  ],
  [
    'was stopped with its sub-plan',
    'plan-stopped',
    ['step-subplan-1-1', 'step-subplan-1-2', 'step-plan-stopped-1', 'step-plan-stopped-2'],
    () => {
      begin('plan-stopped')
      lynxe.recordThinkingAndAction(stepOf('plan-stopped', 0), { thinkOutput: '', actToolInfoList: [CALL] })
      const below = [0, 1, 2].map((index) => stepOf('subplan-1', index))
      lynxe.recordPlanExecutionStart('subplan-1', 'B', 'b', below, 'plan-stopped', 'plan-stopped', CALL.toolCallId)
      lynxe.recordStepStart(stepOf('subplan-1', 0), 'subplan-1')
      lynxe.recordPlanCompletion('plan-stopped', null)
    },
  ],
  [
    'came from ManusX and has failed',
    'plan-manus',
    ['m-2', 'm-3'],
    () => {
      const manus = createManusRecorder({ sessionId: 'session-1' })
      const steps = ['m-1', 'm-2', 'm-3'].map(manusStep)
      const plan = { id: 'plan-manus', title: 'T', goal: 'G', status: 'pending' as const, steps }
      manus.event({ ...at, type: 'plan', status: 'created', plan, step: null })
      manus.event({ ...at, type: 'step', status: 'started', step: { ...manusStep('m-1'), status: 'running' } })
      manus.event({ ...at, type: 'error', error: 'Task error: no network' })
    },
  ],
]

const answerOf = async (path: string) => {
  const response = await fetch(`${server.url}/api/executor/${path}`)
  return { status: response.status, document: response.ok ? ((await response.json()) as object) : undefined }
}

interface Plan {
  readonly agentExecutionSequence: readonly {
    readonly stepId: string
    readonly status: string
    readonly subPlanExecutionRecords: readonly Plan[]
  }[]
}

const idleSteps = ({ agentExecutionSequence }: Plan): string[] =>
  agentExecutionSequence.flatMap(({ stepId, status, subPlanExecutionRecords }) => [
    ...subPlanExecutionRecords.flatMap(idleSteps),
    ...(status === 'IDLE' ? [stepId] : []),
  ])

describe('a step that its plan’s details show as pending has an agent’s execution', () => {
  test.each(COURSES)('where the plan %s: %s', async (_, planId, pending, run) => {
    run()
    await registration.forceFlush()
    const details = await answerOf(`details/${planId}`)
    expect(idleSteps(details.document as Plan)).toEqual(pending)
    for (const stepId of pending) {
      expect(await answerOf(`agent-execution/${stepId}`)).toMatchObject({
        status: 200,
        document: { stepId, status: 'IDLE' },
      })
    }
  })
})

test('a step with its own agent takes precedence over another plan that only lists it', async () => {
  const [one] = [stepOf('plan-first', 0)]
  lynxe.recordPlanExecutionStart('plan-first', 'A', 'a', [one], null, 'plan-first', null)
  lynxe.recordStepStart(one, 'plan-first')
  lynxe.recordStepEnd(one, 'plan-first')
  lynxe.recordPlanCompletion('plan-first', null)
  lynxe.recordPlanExecutionStart('plan-second', 'A', 'a', [one], null, 'plan-second', null)
  await registration.forceFlush()
  expect(await answerOf(`agent-execution/${one.stepId}`)).toMatchObject({ document: { status: 'FINISHED' } })
})
