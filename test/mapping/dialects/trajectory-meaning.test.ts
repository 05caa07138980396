import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  decodeRecord,
  encodeRecords,
  toStoredSpan,
  traceFacts,
  type EncodedRecord,
} from '../../../src/mapping/index.js'
import { buildForest } from '../../../src/mapping/tree/forest.js'
import type { SpanNode } from '../../../src/mapping/tree/span-node.js'
import { foldSpans } from '../../../src/mapping/tree/fold.js'
import { usageBelow } from '../../../src/mapping/usage/usage-below.js'
import { executionTrajectorySchema, planExecutionRecordSchema, trajFileSchema } from '../../../src/records/index.js'
import { ATTR, EVENTS } from '../../../src/semconv/index.js'

const read = (file: string): string => readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8')
const encodeAll = (text: string): EncodedRecord[] => [...encodeRecords(new TextEncoder().encode(text))]
const encodeOne = (text: string): EncodedRecord => encodeAll(text)[0]!
const trajectory = encodeOne(read('trajectory/execution_trajectory.json'))
const rerun = encodeOne(read('trajectory/harmonyguard-rerun.json'))
const spansOf = (record: EncodedRecord, kind: string) =>
  record.spans.filter(({ attributes }) => attributes[ATTR.spanKind] === kind)
const treeOf = (record: EncodedRecord): SpanNode => buildForest(foldSpans(record.spans.map(toStoredSpan)))[0]!

describe('a document', () => {
  test.each([
    ['{"steps":[{"step_idx":0}]}', 'trajectory'],
    ['{"steps":[],"task_metadata":{}}', 'trajectory'],
    ['{"steps":[],"total_duration_seconds":1.0}', 'trajectory'],
    ['{"step_num": 1, "action_timestamp": "20260123@120000", "action": "WAIT"}\n', 'trajectory:traj'],
    ['{"Error": "Time limit exceeded in chrome/1"}\n', 'trajectory:traj'],
    [read('lynxe/details-waiting-input.json'), 'plan-execution'],
    [read('lynxe/doc-example-2025-03-28.json'), 'plan-execution'],
  ])('%.60s is detected as %s', (text, dialect) => {
    expect(encodeAll(text).map((record) => record.dialect)).toEqual([dialect])
  })

  test.each(['{"steps":["one"]}', '{"steps":[{"title":"x"}]}', '{"Error":{"code":1}}', '{"Error":"x","code":1}'])(
    '%s is not from SafePred',
    (text) => {
      expect(() => encodeAll(text)).toThrow(expect.objectContaining({ code: 'unknown_dialect' }))
    },
  )

  test('from the real writer matches the schemas', () => {
    expect(executionTrajectorySchema.parse(JSON.parse(trajectory.text))).toBeTruthy()
    expect(executionTrajectorySchema.parse(JSON.parse(rerun.text))).toBeTruthy()
    const lines = read('trajectory/traj-crashed-rerun.jsonl').trimEnd().split('\n')
    expect(trajFileSchema.parse(lines.map((line) => JSON.parse(line)))).toHaveLength(6)
  })
})

describe('the name of a record', () => {
  test('stays the same as steps are added, and changes with the task or its first step', () => {
    const step = (index: number, response: string): object => ({ step_idx: index, response })
    const keyOf = (task_id: string | undefined, ...steps: object[]): string =>
      encodeOne(JSON.stringify({ steps, task_metadata: { task_id } })).key
    const key = keyOf('a', step(0, 'x'))
    expect(keyOf('a', step(0, 'x'), step(1, 'y'))).toBe(key)
    expect(
      new Set([key, keyOf('b', step(0, 'x')), keyOf('a', step(0, 'y')), keyOf(undefined, step(0, 'x'))]).size,
    ).toBe(4)
    expect(trajectory.key).toMatch(/^2ad9387a-65d8-4e33-ad5b-7580065a27ca-[0-9a-f]{16}$/)
    expect(trajectory.planId).toBe(trajectory.key)
  })
})

describe('the tokens', () => {
  test('are on chat spans only, and add up to what the run counted', () => {
    for (const { attributes } of trajectory.spans) {
      if (attributes[ATTR.spanKind] !== 'llm') expect(attributes).not.toHaveProperty([ATTR.usageInputTokens])
    }
    const total = (source: string | undefined): number =>
      spansOf(trajectory, 'llm')
        .filter(({ attributes }) => attributes[ATTR.usageSource] === source)
        .reduce(
          (sum, { attributes: a }) => sum + Number(a[ATTR.usageInputTokens]) + Number(a[ATTR.usageOutputTokens]),
          0,
        )
    const plan = trajectory.spans[0]!.attributes
    expect(total(undefined)).toBe(plan[ATTR.cumulativeTotalTokens])
    expect(total('world_model')).toBe(plan[ATTR.cumulativeWorldModelTokens])
    expect(usageBelow(treeOf(trajectory))?.totalTokens).toBe(13_142 + 15_837)
  })

  test('of a guardrail are below it, and show whether they are a sum', () => {
    const calls = spansOf(rerun, 'llm').filter(({ attributes }) => ATTR.usageSource in attributes)
    const guardrails = new Map(spansOf(rerun, 'guardrail').map((span) => [span.spanId, span]))
    expect(calls).toHaveLength(3)
    expect(calls.every(({ parentSpanId }) => guardrails.has(parentSpanId))).toBe(true)
    expect(calls.every(({ attributes }) => attributes[ATTR.usageAggregated] === true)).toBe(true)
  })
})

describe('the risk', () => {
  test('is on a guardrail span for each judged action, and only a repeated one is marked', () => {
    const found = spansOf(trajectory, 'guardrail').map(({ name, attributes }) => [
      name,
      attributes[ATTR.riskScore],
      attributes[ATTR.riskIsSafe],
      attributes[ATTR.riskRepeated],
    ])
    expect(found.slice(0, 2)).toEqual([
      ['run_guardrail safety', 0.8, false, undefined],
      // The prediction of the action that replaced the judged one.
      ['run_guardrail world_model', 0, undefined, undefined],
    ])
    expect(found.slice(2).map(([, , , repeated]) => repeated)).toEqual([undefined, true, undefined, true])
  })

  test('is also an event of the judged step for other tools, once for each judged action', () => {
    const judged = spansOf(trajectory, 'guardrail').filter(
      ({ attributes }) => attributes[ATTR.riskScore] !== undefined && attributes[ATTR.riskRepeated] !== true,
    )
    const found = trajectory.spans.flatMap(({ attributes, events }) =>
      events
        .filter(({ name }) => name === EVENTS.evaluation)
        .map((event) => [attributes[ATTR.spanKind], event.attributes[ATTR.evaluationScoreValue]]),
    )
    expect(judged.length).toBeGreaterThan(0)
    expect(found).toEqual(judged.map(({ attributes }) => ['think_act', attributes[ATTR.riskScore]]))
  })
})

describe('a file of two runs', () => {
  test('has an agent for each, and the first was interrupted', () => {
    const agents = spansOf(rerun, 'agent')
    expect(agents.map(({ attributes }) => attributes[ATTR.state])).toEqual(['failed', 'failed'])
    expect(agents[0]!.endTimeUnixNano).toBeLessThan(agents[1]!.startTimeUnixNano)
    expect(spansOf(rerun, 'think_act').map(({ attributes }) => attributes[ATTR.stepIndex])).toEqual([0, 1, 0])
  })

  test('keeps its actions within their steps, and shows which one raised', () => {
    const steps = new Map(spansOf(rerun, 'think_act').map((span) => [span.spanId, span]))
    for (const tool of spansOf(rerun, 'tool')) {
      const step = steps.get(tool.parentSpanId)!
      expect(tool.startTimeUnixNano).toBeGreaterThanOrEqual(step.startTimeUnixNano)
      expect(tool.endTimeUnixNano).toBeLessThanOrEqual(step.endTimeUnixNano)
    }
    const failed = spansOf(rerun, 'tool').filter(({ statusCode }) => statusCode === 'ERROR')
    expect(failed.map(({ attributes }) => attributes[ATTR.errorType])).toEqual(['TimeoutError'])
  })

  test('is read in the given time zone', () => {
    const [berlin] = encodeRecords(new TextEncoder().encode(rerun.text), { timeZone: 'Europe/Berlin' })
    const end = (record: EncodedRecord): bigint => spansOf(record, 'think_act')[0]!.endTimeUnixNano
    expect(end(rerun) - end(berlin!)).toBe(3_600_000_000_000n)
    expect(decodeRecord(berlin!.spans.map(toStoredSpan))?.text).toBe(rerun.text)
  })
})

describe('a trajectory in another dialect', () => {
  test('is a plan with its request, cycles, actions, tokens and risk', () => {
    const { text } = decodeRecord(trajectory.spans.map(toStoredSpan), { format: 'plan-execution' })!
    expect(planExecutionRecordSchema.parse(JSON.parse(text))).toMatchObject({
      currentPlanId: trajectory.key,
      userRequest: expect.stringContaining('bookmarks bar'),
      completed: true,
      planspan: { usage: { totalTokens: 28_979 }, risk: { maxScore: 0.8, isSafe: false } },
      agentExecutionSequence: [
        {
          modelName: 'gpt-4o',
          status: 'FINISHED',
          thinkActSteps: [
            {
              thinkOutput: expect.stringContaining('Reflection'),
              toolName: 'pyautogui',
              planspan: {
                risk: {
                  assessments: [
                    { name: 'safety', policies: ['P000'] },
                    { name: 'world_model', score: 0 },
                  ],
                },
              },
            },
            { thinkOutput: 'wait', toolParameters: 'WAIT' },
            { thinkOutput: 'done', toolParameters: 'DONE' },
          ],
        },
      ],
    })
  })

  test('is a traj.jsonl of the actions that ran without an error', () => {
    const { text } = decodeRecord(trajectory.spans.map(toStoredSpan), { format: 'trajectory:traj' })!
    const lines = (content: string): object[] =>
      content
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
    expect(lines(text)).toEqual(lines(read('trajectory/traj.jsonl')))
    const again = decodeRecord(rerun.spans.map(toStoredSpan), { format: 'trajectory:traj' })!
    expect(lines(again.text)).toHaveLength(3)
  })
})

describe('a record of another system', () => {
  test('is a trajectory of its cycles and tool calls', () => {
    const lynxe = encodeOne(read('lynxe/legacy-details-running.json'))
    const { text } = decodeRecord(lynxe.spans.map(toStoredSpan), { format: 'trajectory' })!
    const converted = executionTrajectorySchema.parse(JSON.parse(text))
    const source = planExecutionRecordSchema.parse(JSON.parse(lynxe.text))
    expect(converted.task_metadata).toMatchObject({ task_id: lynxe.planId, task_instruction: source.userRequest })
    expect(encodeOne(text).dialect).toBe('trajectory')
    const cycles = (source.agentExecutionSequence ?? []).flatMap((agent) => agent.thinkActSteps ?? [])
    expect(converted.steps.filter(({ response }) => response !== undefined).map(({ response }) => response)).toEqual(
      cycles.flatMap(({ thinkOutput }) => thinkOutput ?? []),
    )
  })
})

describe('whether the judged actions were taken', () => {
  const judged = (is_safe?: boolean) => ({ risk_score: 0.5, is_safe })
  const ran = { action_timestamp: '20260123@120000' }
  test.each([
    ['all safe, the first has run', [true, true], ['CLICK', 'DONE'], [ran], [true, false]],
    ['none is left of them', [true, false], [], [], [false, false]],
    [
      'one was filtered out, so that the others have other numbers',
      [true, false, true],
      ['CLICK', 'DONE'],
      [ran, ran],
      [],
    ],
    ['it is unknown which are safe', [undefined], ['CLICK'], [ran], []],
    ['one of them has no verdict', [true, undefined], ['CLICK'], [ran], []],
    ['it is unknown which have run', [true], ['CLICK'], [], []],
  ])('is known if %s', (_what, verdicts, actions, action_results, taken) => {
    const safety_info = Object.fromEntries(verdicts.map((isSafe, index) => [`action_${index}`, judged(isSafe)]))
    const record = encodeOne(JSON.stringify({ steps: [{ step_idx: 0, safety_info, actions, action_results }] }))
    const found = spansOf(record, 'guardrail').map(({ attributes }) => attributes[ATTR.riskActionTaken])
    expect(found).toEqual(taken.length > 0 ? taken : verdicts.map(() => undefined))
  })
})

describe('the world model’s prediction beside the judgements of a step', () => {
  const prediction = { semantic_delta: 'd', violated_policy_ids: [], risk_explanation: 'e', risk_score: 0 }
  const judgement = { risk_score: 0, risk_explanation: 'e', is_safe: true, world_model_output: prediction }
  test.each([
    ['counts once if a judgement contains it', prediction, 0, 1],
    ['counts as a judgement of its own if it differs', { ...prediction, risk_score: 0.8 }, 0.8, 2],
  ])('%s', (_what, world_model_output, risk, judged) => {
    const step = { step_idx: 0, actions: ['WAIT'], world_model_output, safety_info: { action_0: judgement } }
    const { spans } = encodeOne(JSON.stringify({ steps: [step], task_metadata: {} }))
    const rows = spans.map(toStoredSpan)
    const [plan] = traceFacts(rows, () => undefined).plans
    expect(plan?.figures).toMatchObject({ risk, judged })
    const record = JSON.parse(decodeRecord(rows, { format: 'plan-execution' })!.text) as object
    expect(record).toMatchObject({ planspan: { risk: { maxScore: risk } } })
  })
})
