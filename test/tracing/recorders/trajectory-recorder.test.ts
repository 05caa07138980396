import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord, type DialectName } from '../../../src/mapping/index.js'
import { executionTrajectorySchema, type ExecutionTrajectory } from '../../../src/records/index.js'
import { createTrajectoryRecorder, dropCounts, type TrajectoryRecorder } from '../../../src/tracing/index.js'
import { storedSpan } from '../../support/stored-spans.js'
import { trajectoryText } from '../../support/trajectory-records.js'
import { installSdk, type InMemorySdk } from '../in-memory-sdk.js'

const sample = (name: string): ExecutionTrajectory =>
  executionTrajectorySchema.parse(
    JSON.parse(readFileSync(new URL(`../../fixtures/trajectory/${name}.json`, import.meta.url), 'utf8')),
  )

let sdk: InMemorySdk
beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

const decode = ({ planId }: TrajectoryRecorder, format: DialectName = 'plan-execution') =>
  decodeRecord(sdk.spans().map(storedSpan), { planId, format })!

function record({ task_metadata: task, steps }: ExecutionTrajectory): TrajectoryRecorder {
  const recorder = createTrajectoryRecorder({ task })
  for (const step of steps) recorder.step(step)
  recorder.end()
  return recorder
}

describe('SafePred’s own run, recorded step by step', () => {
  const complete = sample('execution_trajectory')

  test('is the trajectory that SafePred writes', () => {
    const before = dropCounts()
    const decoded = decode(record(complete), 'trajectory')
    expect(dropCounts()).toEqual(before)
    expect(decoded).toMatchObject({ verdict: 'complete', missing: [], state: 'completed' })
    const seconds = expect.any(Number)
    expect(JSON.parse(decoded.text)).toMatchObject({
      ...complete,
      total_duration_seconds: seconds,
      total_duration_minutes: seconds,
      planspan: expect.any(Object),
    })
  })

  test('is the record of its plan, with tokens, risk and actions', () => {
    const { text, state } = decode(record(complete))
    expect(state).toBe('completed')
    const [first] = complete.steps
    expect(JSON.parse(text)).toMatchObject({
      userRequest: complete.task_metadata?.task_instruction,
      completed: true,
      planspan: { usage: { totalTokens: 13_142 + 15_837 }, risk: { maxScore: 0.8, isSafe: false } },
      agentExecutionSequence: [
        {
          modelName: 'gpt-4o',
          status: 'FINISHED',
          thinkActSteps: [
            {
              thinkOutput: first?.response,
              actToolInfoList: [{ name: 'pyautogui', parameters: first?.actions?.[0] }],
              planspan: {
                risk: {
                  assessments: [
                    { name: 'safety', score: 0.8, policies: ['P000'] },
                    { name: 'world_model', score: 0 },
                  ],
                },
              },
            },
            { thinkOutput: 'wait' },
            { thinkOutput: 'done' },
          ],
        },
      ],
    })
  })

  test('rolls up the tokens of all model calls, and records each assessment once', () => {
    record(complete)
    expect(sdk.span('invoke_workflow').attributes['planspan.usage.total_tokens']).toBe(13_142 + 15_837)
    const reported = sdk.spans().flatMap(({ name, events }) => events.map((event) => [name, event.name]))
    // The prediction of the first step is that of another action than the judged one.
    const assessed = complete.steps.flatMap((_, index) => (index === 0 ? [0, 0] : [index]))
    expect(reported).toEqual(assessed.map(() => ['agent_step', 'gen_ai.evaluation.result']))
  })
})

/** Python's numbers that JSON has no form for are not data of a JavaScript agent. */
const documents = trajectoryText
  .filter((text) => !/NaN|Infinity/.test(text))
  .map((text) => JSON.parse(text) as ExecutionTrajectory)
  .filter(({ steps }) => steps.length > 0)

test('a run contains every value of its steps: all errors, usages, assessments and response items', () => {
  fc.assert(
    fc.property(fc.oneof(documents, fc.constant(sample('harmonyguard-rerun'))), (document) => {
      const recorder = record(document)
      const { task_metadata: task, steps } = JSON.parse(decode(recorder, 'trajectory').text) as ExecutionTrajectory
      expect({ task, steps }).toMatchObject({ task: document.task_metadata, steps: document.steps })
    }),
    { numRuns: 60 },
  )
})

test('steps last as long as stated, one after the other, with their actions inside', () => {
  const recorder = createTrajectoryRecorder()
  const began = performance.now()
  const action = { action_timestamp: '20260304@120001', action_duration_seconds: 0.5, reward: 0, done: false, info: {} }
  const step = { timestamp: '20260304@120002', actions: ['WAIT'], action_results: [{ action: 'WAIT', ...action }] }
  recorder.step({ step_idx: 0, response: 'a', step_duration_seconds: 1e-6, ...step })
  recorder.step({ step_idx: 1, response: 'b', step_duration_seconds: 3600, ...step })
  recorder.end()
  const cycles = sdk.spans().filter(({ name }) => name.startsWith('agent_step'))
  const nanos = ([seconds, rest]: readonly [number, number]) => seconds * 1e9 + rest
  const [first, second] = cycles
  expect(nanos(first!.duration)).toBe(1_000)
  expect(second!.startTime).toEqual(first!.endTime)
  expect(nanos(second!.duration)).toBeLessThanOrEqual((performance.now() - began) * 1e6)
  for (const span of sdk.spans()) {
    const parent = sdk.spans().find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId)
    if (!parent) continue
    expect(nanos(span.startTime)).toBeGreaterThanOrEqual(nanos(parent.startTime))
    expect(nanos(span.endTime)).toBeLessThanOrEqual(nanos(parent.endTime))
  }
})

describe('the end of a run', () => {
  const ended = (done: boolean, info: object) => ({
    step_idx: 0,
    actions: ['x'],
    action_results: [{ action: 'x', done, info }],
  })

  test.each([
    ['its last action got it done', ended(true, { done: true }), 'completed'],
    ['its last action gave up', ended(true, { fail: true }), 'failed'],
    ['it ran out of steps', ended(false, {}), 'completed'],
  ])('when %s', (_what, step, state) => {
    const recorder = createTrajectoryRecorder({ planId: 'plan-7' })
    recorder.step(step)
    recorder.end()
    expect(recorder.planId).toBe('plan-7')
    expect(decode(recorder).state).toBe(state)
    expect(decode(recorder).text).not.toContain('"Error')
  })

  test('by an error is a failure', () => {
    const recorder = createTrajectoryRecorder({ task: { task_instruction: 'Go' } })
    recorder.fail(new Error('Time limit exceeded'))
    recorder.end()
    expect(decode(recorder)).toMatchObject({ state: 'failed', verdict: 'complete' })
    expect(JSON.parse(decode(recorder).text)).toMatchObject({
      agentExecutionSequence: [{ errorMessage: 'Time limit exceeded' }],
    })
  })

  test('is final: a later step is dropped and counted', () => {
    const before = dropCounts().event
    const recorder = createTrajectoryRecorder()
    recorder.end()
    recorder.step({ step_idx: 0 })
    expect(dropCounts().event - before).toBe(1)
    expect(sdk.spans()).toHaveLength(2)
  })
})

test('no step makes the recorder throw', () => {
  const step = fc.oneof(
    fc.anything(),
    fc.record({
      step_idx: fc.anything(),
      timestamp: fc.oneof(fc.anything(), fc.constant('20260304@120002')),
      response: fc.anything(),
      actions: fc.anything(),
      action_results: fc.anything(),
      safety_info: fc.record({ action_0: fc.object() }),
      world_model_output: fc.object(),
      token_usage: fc.object(),
      step_duration_seconds: fc.oneof(fc.double(), fc.anything()),
      errors: fc.array(fc.object()),
    }),
  )
  fc.assert(
    fc.property(fc.anything(), fc.array(step, { maxLength: 4 }), (task, steps) => {
      const before = sdk.spans().length
      const recorder = createTrajectoryRecorder({ task })
      for (const one of steps) recorder.step(one)
      recorder.end()
      const spans = sdk.spans().slice(before).map(storedSpan)
      // A number beyond 2^53 can't be sent, but no span may be missing.
      const gaps = decodeRecord(spans, { planId: recorder.planId })?.missing
      expect(gaps?.filter((gap) => !gap.endsWith('could not be sent'))).toEqual([])
    }),
    { numRuns: 100 },
  )
})
