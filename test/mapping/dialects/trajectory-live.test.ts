import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord } from '../../../src/mapping/index.js'
import { executionTrajectorySchema, trajFileSchema } from '../../../src/records/index.js'
import { plan, type CycleSpan, type ProposedAction } from '../../../src/tracing/index.js'
import { storedSpan } from '../../support/stored-spans.js'
import { installSdk, type InMemorySdk } from '../../tracing/in-memory-sdk.js'

let sdk: InMemorySdk
beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

/** A plan with two model calls, a guardrail, an action that succeeds and an action that throws. */
const run = (): Promise<void> =>
  plan({ workflow: 'trip', title: 'To Rome', request: 'Book Rome', planId: 'plan-rome' }, async (p) => {
    await p.agent({ name: 'booker', step: 0 }, async (a) => {
      await a.cycle(async (c) => {
        await c.model({ model: 'm-1' }, async (m) => m.usage({ input: 10, output: 2 }))
        await c.model({ model: 'm-1' }, async (m) => {
          m.output('book it')
          m.usage({ input: 100, output: 20 })
        })
        await c.guardrail({ name: 'safepred' }, async (g) =>
          g.risk({
            score: 0.8,
            isSafe: false,
            policies: ['P001'],
            explanation: 'risky',
            worldModel: { semanticDelta: 'd' },
          }),
        )
        await c.tool({ name: 'book', callId: 'call-1', arguments: { city: 'Rome' } }, () => ({ ok: true }))
        await c
          .tool({ name: 'pay', callId: 'call-2', arguments: '{"sum": 10}' }, async () => {
            throw new TypeError('no card')
          })
          .catch(() => {})
      })
    })
  })

const decode = (format: 'trajectory' | 'trajectory:traj'): string =>
  decodeRecord(sdk.spans().map(storedSpan), { planId: 'plan-rome', format })!.text

describe('a live plan as SafePred would have written it', () => {
  test('has one usage for each safety system in a step, the sum of its judgements', async () => {
    await plan({ planId: 'plan-rome' }, (p) =>
      p.agent({}, (a) =>
        a.cycle(async (c) => {
          const judge = (usageSource: string, tokens: number) =>
            c.guardrail({ name: usageSource }, (g) =>
              g.model({ model: 'judge', usageSource }, (m) => m.usage({ input: tokens, output: 1 })),
            )
          c.model({ model: 'm-1' }, (m) => m.usage({ input: 5, output: 1 }))
          for (const tokens of [100, 100, 100]) judge('policy_guardrail', tokens)
          for (const tokens of [10, 20]) judge('reactive_guardrail', tokens)
          c.model({ model: 'wm', usageSource: 'world_model' }, (m) => m.usage({ input: 7, output: 1 }))
          judge('safety', 40)
        }),
      ),
    )
    const usage = (model: string, prompt: number, completion: number) => ({
      model,
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    })
    expect(JSON.parse(decode('trajectory'))).toMatchObject({
      cumulative_stats: {
        total_tokens_used: 6,
        total_world_model_tokens_used: 49,
        total_harmonyguard_tokens_used: 303,
        total_reactive_tokens_used: 32,
      },
      steps: [
        {
          token_usage: usage('m-1', 5, 1),
          world_model_token_usage: usage('judge', 47, 2),
          harmonyguard_token_usage: usage('judge', 300, 3),
          reactive_token_usage: usage('judge', 30, 2),
        },
      ],
    })
  })

  test('is a trajectory of its cycles, with tokens, risk and results', async () => {
    await run()
    const stamp = expect.stringMatching(/^\d{8}@\d{6}$/)
    const document = executionTrajectorySchema.parse(JSON.parse(decode('trajectory')))
    const book = { action_type: 'book', parameters: { city: 'Rome' } }
    const pay = { action_type: 'pay', parameters: { sum: 10 } }
    expect(document).toMatchObject({
      task_metadata: {
        task_id: 'plan-rome',
        task_instruction: 'Book Rome',
        task_params: { model: 'm-1' },
        injection: null,
        jailbreak: false,
      },
      total_duration_seconds: expect.any(Number),
      cumulative_stats: { total_tokens_used: 132, total_steps: 1, total_actions_executed: 1 },
    })
    expect(document.steps).toMatchObject([
      {
        step_idx: 0,
        timestamp: stamp,
        response: 'book it',
        actions: [book, pay],
        safety_info: {
          action_0: {
            risk_score: 0.8,
            risk_explanation: 'risky',
            is_safe: false,
            world_model_output: { semantic_delta: 'd', violated_policy_ids: ['P001'], risk_score: 0.8 },
          },
        },
        token_usage: { model: 'm-1', prompt_tokens: 110, completion_tokens: 22, total_tokens: 132 },
        action_results: [
          { action: book, action_timestamp: stamp, reward: 0, done: false, info: { result: '{"ok":true}' } },
          {
            action: pay,
            action_timestamp: stamp,
            info: { error: true },
            error: { type: 'TypeError', message: 'no card' },
          },
        ],
      },
    ])
  })

  test('is a traj.jsonl of the actions that ran', async () => {
    await run()
    const lines = decode('trajectory:traj').trimEnd().split('\n')
    expect(trajFileSchema.parse(lines.map((line) => JSON.parse(line)))).toMatchObject([
      { step_num: 1, action: { action_type: 'book' }, info: { result: '{"ok":true}' } },
    ])
  })

  test('has its agents as steps if they have no cycles', async () => {
    await plan({ workflow: 'trip', request: 'Go', planId: 'plan-rome' }, async (p) => {
      await p.agent({ name: 'scout', step: 0, request: 'look' }, async (a) => a.result('found'))
    })
    const document = executionTrajectorySchema.parse(JSON.parse(decode('trajectory')))
    expect(document.steps).toMatchObject([{ response: 'found', plan: { current_plan: 'look' }, actions: [] }])
  })

  test('numbers its steps continuously, whichever agent took them, and has an answer and a task for the judge', async () => {
    await plan({ workflow: 'trip', planId: 'plan-rome' }, async (p) => {
      for (const name of ['scout', 'booker']) {
        await p.agent({ name }, (a) => a.cycle((c) => c.tool({ name: 'look', callId: `of ${name}` }, () => 'seen')))
      }
      await p.agent({ name: 'idler' }, () => {})
    })
    expect(JSON.parse(decode('trajectory'))).toMatchObject({
      task_metadata: { task_instruction: '' },
      steps: [
        { step_idx: 0, response: '' },
        { step_idx: 1, response: '' },
        { step_idx: 2, response: '' },
      ],
    })
    const lines = decode('trajectory:traj').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).step_num)).toEqual([1, 2])
  })
})

describe('judgments of guardrails have the number of their action', () => {
  const judge = (c: CycleSpan, score: number, action?: ProposedAction) =>
    c.guardrail({ name: 'safepred', action }, (g) => g.risk({ score, isSafe: score < 0.5 }))
  const pay = { name: 'pay', callId: 'call-1' }
  const read = { name: 'read', callId: 'call-2' }
  const make = (c: CycleSpan, tool: { name: string; callId: string }) => c.tool(tool, () => 'done')

  test.each<[string, (cycle: CycleSpan) => void, string[], Record<string, number>, number]>([
    [
      'where the first of two calls was stopped',
      (c) => {
        judge(c, 0.9, pay)
        judge(c, 0.7, read)
        make(c, read)
      },
      ['read', 'pay'],
      { action_0: 0.7, action_1: 0.9 },
      1,
    ],
    [
      'where the second alone was judged',
      (c) => {
        make(c, pay)
        judge(c, 0.2)
        make(c, read)
      },
      ['pay', 'read'],
      { action_1: 0.2 },
      2,
    ],
    [
      'where one was judged twice',
      (c) => {
        judge(c, 0.1, pay)
        judge(c, 0.3, pay)
        make(c, pay)
        make(c, read)
      },
      ['pay', 'read'],
      { action_0: 0.1, action_2: 0.3 },
      2,
    ],
    [
      'where all were judged before all',
      (c) => {
        judge(c, 0.1)
        judge(c, 0.3)
        make(c, pay)
        make(c, read)
      },
      ['pay', 'read'],
      { action_0: 0.1, action_1: 0.3 },
      2,
    ],
  ])('%s', (_where, work, actions, risks, executed) => {
    plan({ planId: 'plan-rome' }, (p) => p.agent({}, (a) => a.cycle(work)))
    const { steps, cumulative_stats: stats } = JSON.parse(decode('trajectory'))
    const [{ safety_info: info }] = steps
    expect(steps[0].actions.map(({ action_type }: { action_type: string }) => action_type)).toEqual(actions)
    const scores = Object.entries<{ risk_score: number }>(info).map(([key, { risk_score }]) => [key, risk_score])
    expect(Object.fromEntries(scores)).toEqual(risks)
    expect(stats.total_actions_executed).toBe(executed)
  })
})
