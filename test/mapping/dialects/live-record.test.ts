import { trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord, type DecodedRecord, type RecordForm } from '../../../src/mapping/index.js'
import { planExecutionRecordSchema } from '../../../src/records/index.js'
import { plan, startPlan } from '../../../src/tracing/index.js'
import { storedSpan } from '../../support/stored-spans.js'
import { installSdk, type InMemorySdk } from '../../tracing/in-memory-sdk.js'

let sdk: InMemorySdk
beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

const decode = (planId: string, form: RecordForm = 'record'): DecodedRecord =>
  decodeRecord(sdk.spans().map(storedSpan), { planId, form })!

/** A plan that uses every feature of the live API. */
async function runTrip(): Promise<string> {
  return plan({ workflow: 'trip', title: 'To Rome', request: 'Book Rome', planId: 'plan-rome' }, async (p) => {
    await p.planning({ planner: 'planner' }, async (s) => s.steps(['[RESEARCHER] look', '[BOOKER] book']))
    await p.wait({ reason: 'plan_review', title: 'Fine?' }, async (w) =>
      w.review({ action: 'ACCEPT_PLAN', feedback: 'go' }, 'ann'),
    )
    await p.agent({ name: 'researcher', step: 0, stepId: 'step-1', request: 'look' }, async (a) => {
      await a.cycle(async (c) => {
        await c.model({ model: 'm-1', provider: 'openai', input: 'think!' }, async (m) => {
          m.output('browse')
          m.usage({ input: 100, output: 20, cacheRead: 10, reasoning: 5 })
        })
        await c.guardrail({ name: 'safepred' }, async (g) =>
          g.risk({
            score: 0.8,
            isSafe: false,
            policies: ['P001'],
            explanation: 'risky',
            worldModel: { semanticDelta: 'a page opens', elementChanges: { new_elements: ['a'] } },
          }),
        )
        await c.tool({ name: 'browse', callId: 'call-1', arguments: { url: 'x' } }, async () => {
          await plan({ workflow: 'detour', title: 'Detour', planId: 'plan-detour' }, async (sub) => {
            await sub.agent({ name: 'scout', step: 0 }, async (b) => b.result('found'))
          })
          return { ok: true }
        })
      })
      a.result('looked')
    })
    await p
      .agent({ name: 'booker', step: 1 }, async (a) => {
        await a.cycle(async (c) => {
          await c.tool({ name: 'book', callId: 'call-2', arguments: '{"n": 1}' }, () => {
            throw new TypeError('sold out')
          })
        })
      })
      .catch(() => {})
    p.summary('No flight')
    return p.planId
  })
}

describe('the record of a live plan', () => {
  test.each<[string, (boolean | undefined)[], boolean | undefined]>([
    ['is unknown without a verdict', [undefined], undefined],
    ['is unknown while one verdict is missing', [true, undefined], undefined],
    ['is safe if all verdicts are', [true, true], true],
    ['is unsafe if one verdict is, whatever is missing', [true, undefined, false], false],
  ])('%s', (_what, verdicts, isSafe) => {
    const run = startPlan({ title: 'To Rome' })
    const agent = run.startAgent({ name: 'scout' })
    const cycle = agent.startCycle()
    for (const verdict of verdicts) {
      const guardrail = cycle.startGuardrail({ name: 'safepred' })
      guardrail.risk({ score: 0.9, isSafe: verdict })
      guardrail.end()
    }
    for (const span of [cycle, agent, run]) span.end()
    const record = JSON.parse(decode(run.planId).text)
    const { risk } = record.agentExecutionSequence[0].thinkActSteps[0].planspan
    expect(record.planspan.risk.isSafe).toBe(isSafe)
    expect(risk.isSafe).toBe(isSafe)
    expect(risk.assessments.map((one: { isSafe?: boolean }) => one.isSafe)).toEqual(verdicts)
  })

  test('contains each value as the agent set it', async () => {
    const { text, ...facts } = decode(await runTrip())
    expect(facts).toMatchObject({
      verdict: 'complete',
      missing: [],
      state: 'completed',
      live: true,
      planId: 'plan-rome',
    })
    const record = planExecutionRecordSchema.parse(JSON.parse(text))
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/)
    expect(record).toMatchObject({
      id: expect.any(Number),
      planId: 'plan-rome',
      currentPlanId: 'plan-rome',
      rootPlanId: 'plan-rome',
      parentPlanId: null,
      title: 'To Rome',
      userRequest: 'Book Rome',
      startTime: time,
      endTime: time,
      steps: ['[RESEARCHER] look', '[BOOKER] book'],
      currentStepIndex: 1,
      completed: true,
      summary: 'No flight',
      userInputWaitState: null,
      planspan: {
        usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120, cacheReadTokens: 10, reasoningTokens: 5 },
        risk: { maxScore: 0.8, isSafe: false },
        reviews: [{ attempt: 1, action: 'ACCEPT_PLAN', feedback: 'go' }],
        waits: [
          {
            reason: 'plan_review',
            title: 'Fine?',
            resolution: 'approved',
            actor: 'ann',
            startTime: time,
            endTime: time,
          },
        ],
      },
      agentExecutionSequence: [
        {
          stepId: 'step-1',
          agentName: 'researcher',
          status: 'FINISHED',
          agentRequest: 'look',
          result: 'looked',
          errorMessage: null,
          thinkActSteps: [
            {
              thinkInput: 'think!',
              thinkOutput: 'browse',
              thinkStartTime: time,
              thinkEndTime: time,
              actStartTime: time,
              actEndTime: time,
              inputCharCount: 6,
              outputCharCount: 6,
              actionNeeded: true,
              status: 'SUCCESS',
              toolName: 'browse',
              toolParameters: '{"url":"x"}',
              actToolInfoList: [{ name: 'browse', parameters: '{"url":"x"}', result: '{"ok":true}', id: 'call-1' }],
              planspan: {
                risk: {
                  assessments: [
                    {
                      name: 'safepred',
                      score: 0.8,
                      isSafe: false,
                      policies: ['P001'],
                      explanation: 'risky',
                      worldModel: { semanticDelta: 'a page opens', elementChanges: { new_elements: ['a'] } },
                    },
                  ],
                },
              },
            },
          ],
          subPlanExecutionRecords: [
            {
              currentPlanId: 'plan-detour',
              rootPlanId: 'plan-rome',
              parentPlanId: 'plan-rome',
              toolCallId: 'call-1',
              title: 'Detour',
              parentActToolCall: { name: 'browse', id: 'call-1' },
              agentExecutionSequence: [{ agentName: 'scout', result: 'found' }],
            },
          ],
          subPlanCount: 1,
        },
        {
          agentName: 'booker',
          status: 'FINISHED',
          errorMessage: 'sold out',
          completed: true,
          thinkActSteps: [
            {
              status: 'FAILED',
              errorMessage: 'sold out',
              actToolInfoList: [{ name: 'book', parameters: '{"n": 1}', result: 'Error: sold out' }],
            },
          ],
        },
      ],
    })
  })

  test('has the last tool call’s result as its structured result, unless the agent set one', async () => {
    const run = (planId: string, result?: object) =>
      plan({ planId }, async (p) => {
        await p.agent({ name: 'a' }, (a) => a.cycle((c) => c.tool({ name: 't' }, () => '{ "n": 1.0 }')))
        if (result) p.result(result)
      })
    await run('plan-computed')
    await run('plan-given', { given: true })
    expect(JSON.parse(decode('plan-computed').text)).toMatchObject({ structureResult: '{"n":1.0}' })
    expect(JSON.parse(decode('plan-given').text)).toMatchObject({ structureResult: '{"given":true}' })
  })

  test('links an agent’s id to its cycles', async () => {
    const record = planExecutionRecordSchema.parse(JSON.parse(decode(await runTrip()).text))
    for (const agent of record.agentExecutionSequence ?? []) {
      for (const cycle of agent.thinkActSteps ?? []) expect(cycle.parentExecutionId).toBe(agent.id)
    }
  })

  test('in Lynxe’s format has array times, no cycles and no key planspan', async () => {
    const { text } = decode(await runTrip(), 'lynxe-details')
    const record = planExecutionRecordSchema.parse(JSON.parse(text))
    expect(record.startTime).toEqual(expect.arrayContaining([expect.any(Number)]))
    expect(record.agentExecutionSequence?.map(({ thinkActSteps }) => thinkActSteps)).toEqual([[], []])
    expect(text).not.toContain('"planspan"')
    expect(record).not.toHaveProperty('planId')
  })

  test('returns one agent’s execution with its cycles for Lynxe’s other path', async () => {
    await runTrip()
    const decoded = decodeRecord(sdk.spans().map(storedSpan), { stepId: 'step-1', form: 'lynxe-agent-execution' })
    expect(JSON.parse(decoded!.text)).toMatchObject({
      stepId: 'step-1',
      thinkActSteps: [{ actToolInfoList: [{ id: 'call-1' }] }],
      subPlanCount: 1,
    })
  })

  test('works below a foreign span and through foreign spans in between', async () => {
    const tracer = trace.getTracer('http')
    await tracer.startActiveSpan('GET /', async (server) => {
      await plan({ planId: 'plan-web' }, async (p) => {
        await p.agent({ name: 'a' }, async (a) => {
          await a.cycle(async (c) => {
            await tracer.startActiveSpan('retry', async (retry) => {
              await c.tool({ name: 't' }, () => 'done')
              retry.end()
            })
          })
        })
      })
      server.end()
    })
    const { text, verdict } = decode('plan-web')
    expect(verdict).toBe('complete')
    expect(text).toContain('"actToolInfoList":[{"name":"t"')
  })

  test('is partial if a span never arrived, and names it', async () => {
    const planId = await runTrip()
    const rows = sdk.spans().map(storedSpan)
    const decoded = decodeRecord(
      rows.filter(({ name }) => name !== 'execute_tool book'),
      { planId },
    )
    expect(decoded).toMatchObject({ verdict: 'partial', missing: ['1 of 1 tool spans below "agent_step booker"'] })
  })

  test('of the handle form equals that of the callback form', () => {
    const p = startPlan({ planId: 'plan-handles', workflow: 'w' })
    const agent = p.startAgent({ name: 'a' })
    const cycle = agent.startCycle()
    const tool = cycle.startTool({ name: 't', arguments: 'x' })
    tool.fail(new Error('no'))
    cycle.end()
    agent.end()
    p.end()
    expect(JSON.parse(decode('plan-handles').text)).toMatchObject({
      completed: true,
      agentExecutionSequence: [{ agentName: 'a', thinkActSteps: [{ toolName: 't', toolParameters: 'x' }] }],
    })
  })
})
