import { expect } from 'vitest'
import { typesOf } from './event-source.js'
import type { LongPlanLife } from './long-plan.js'

/** The events that a client of the stream receives, each once and in order. */
const EVENTS = [
  ['title', 'plan', 'message', 'wait'],
  ['step running', 'tool calling', 'tool called', 'step completed', 'step running', 'tool calling'],
  ['error'],
  ['tool calling', 'message', 'wait', 'step running', 'tool called', 'step completed'],
  ['message', 'plan', 'done'],
].flat()

/** The expected record of the example at each of the five moments, on any route. */
export function expectLongPlan({ planId, asking, acting, dead, approving, done, events }: LongPlanLife): void {
  const agents = ({ record }: LongPlanLife['done']) =>
    record.agentExecutionSequence.map(({ agentName, status, result }) => [agentName, status, result])
  const calls = ({ record }: LongPlanLife['done']) =>
    record.agentExecutionSequence.flatMap(({ thinkActSteps }) =>
      thinkActSteps.flatMap(({ actEndTime, actToolInfoList }) =>
        actToolInfoList.map(({ name, result }) => [name, result, actEndTime === null ? 'open' : 'ended']),
      ),
    )
  const answered = { reason: 'form_input', resolution: 'submitted', actor: 'user', endTime: expect.any(String) }
  const hanging = [
    ['search', 'TP 531 at 9:40', 'ended'],
    ['book', null, 'open'],
  ]

  expect(asking.record).toMatchObject({ completed: false, endTime: null, summary: null, currentStepIndex: 0 })
  expect(asking.record.userInputWaitState).toMatchObject({
    planId,
    title: 'When do you want to fly?',
    waiting: true,
    formInputs: [{ label: 'Day', type: 'date' }],
  })
  expect(asking.record.agentExecutionSequence.map(({ status }) => status)).toEqual(['IDLE', 'IDLE'])

  for (const { record } of [acting, dead]) {
    expect(record).toMatchObject({ completed: false, endTime: null, currentStepIndex: 1, userInputWaitState: null })
    expect(record.planspan.waits).toMatchObject([answered])
  }
  expect(agents(acting)).toEqual([
    ['researcher', 'FINISHED', 'TP 531 at 9:40'],
    ['booker', 'RUNNING', null],
  ])
  expect(calls(acting)).toEqual(hanging)
  expect(calls(dead)).toEqual(hanging)

  expect(approving.record).toMatchObject({ completed: false, endTime: null, currentStepIndex: 1 })
  expect(approving.record.userInputWaitState).toMatchObject({ title: 'Book TP 531 once more?', waiting: true })
  expect(agents(approving)).toEqual(agents(acting))
  expect(calls(approving)).toEqual([...hanging, ['book', null, 'open']])

  expect(done.record).toMatchObject({ completed: true, userInputWaitState: null, summary: 'It took two processes.' })
  expect(agents(done)).toEqual([
    ['researcher', 'FINISHED', 'TP 531 at 9:40'],
    ['booker', 'FINISHED', 'booked'],
  ])
  expect(calls(done)).toEqual([...hanging, ['book', 'booked', 'ended']])
  expect(done.record.agentExecutionSequence.map(({ stepId }) => stepId)).toEqual([
    `${planId}-step-0`,
    `${planId}-step-1`,
  ])
  expect(done.record.planspan.waits).toMatchObject([answered])
  expect(done.record.agentExecutionSequence[1]?.thinkActSteps[1]?.planspan?.waits).toMatchObject([
    { reason: 'tool_approval', resolution: 'approved', actor: 'user', endTime: expect.any(String) },
  ])

  for (const moment of [asking, acting, dead, approving, done]) expect(moment.verdict).toBe('complete')

  const ids = events.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(typesOf(events)).toEqual(EVENTS)
}
