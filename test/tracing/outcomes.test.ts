import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeEvents, decodeRecord, type DecodeOptions } from '../../src/mapping/index.js'
import { plan, type CycleSpan, type PlanSpan, type ProposedAction } from '../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'
import { storedSpans } from './stored-spans.js'

let sdk: InMemorySdk
beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

const decoded = (options: DecodeOptions = {}) => {
  const found = decodeRecord(storedSpans(sdk.spans()), { planId: 'plan-desk', ...options })
  if (!found) throw new Error('no record')
  return found.text
}
interface Cycle {
  readonly actToolInfoList: readonly unknown[]
  readonly planspan: { readonly risk: { readonly assessments: readonly { readonly actionTaken?: boolean }[] } }
}
interface Agent {
  readonly stepId: string
  readonly thinkActSteps: readonly Cycle[]
}
interface PlanRecord {
  readonly agentExecutionSequence: readonly Agent[]
  /** The record format of a trajectory. */
  readonly steps: readonly { readonly actions: readonly unknown[] }[]
}

const record = (options?: DecodeOptions) => JSON.parse(decoded(options)) as PlanRecord
const agent = (): Agent => record().agentExecutionSequence[0]!
const cycles = (): readonly Cycle[] => agent().thinkActSteps

/** A plan of one agent that runs the given work in each of its cycles. */
async function desk(...work: readonly ((cycle: CycleSpan) => unknown)[]): Promise<void> {
  await plan({ workflow: 'desk', planId: 'plan-desk', title: 'Clean up', steps: ['clean up'] }, async (p) => {
    await p.agent({ name: 'operator', step: 0 }, async (a) => {
      for (const doing of work) await a.cycle(async (c) => void (await doing(c)))
    })
  })
}

const failing = (c: CycleSpan): unknown => {
  try {
    return c.tool({ name: 'search', callId: 'call-1', arguments: { query: 'Rome' } }, () => {
      throw new TypeError('the search backend is down')
    })
  } catch {
    return undefined
  }
}

const RISK = { score: 0.9, isSafe: false, policies: ['P1'], explanation: 'it deletes what it was not asked to' }
const REASON = 'Not executed: stopped by safepred (risk 0.9): it deletes what it was not asked to'
const CALL = { name: 'delete_file', callId: 'call-2', arguments: { path: '/etc/hosts' } }

describe('a tool call that fails while its agent continues', () => {
  beforeEach(() => desk(failing, () => undefined))

  test('appears in the record', () => {
    const [cycle] = cycles()
    expect(cycle).toMatchObject({
      status: 'FAILED',
      errorMessage: 'the search backend is down',
      actToolInfoList: [{ id: 'call-1', result: 'Error: the search backend is down' }],
      planspan: {
        errors: [{ span: 'execute_tool search', type: 'TypeError', message: 'the search backend is down' }],
      },
    })
    expect(cycles()[1]).toMatchObject({ status: 'SUCCESS', errorMessage: null })
    expect(agent()).toMatchObject({ errorMessage: null })
  })

  test('appears in Lynxe’s responses', () => {
    const { stepId } = agent()
    const answer = JSON.parse(decoded({ stepId, form: 'lynxe-agent-execution' })) as Agent
    expect(answer.thinkActSteps[0]).toMatchObject({
      errorMessage: 'the search backend is down',
      actToolInfoList: [{ result: 'Error: the search backend is down' }],
    })
  })

  test.each(['plan-act:events', 'plan-act:sse', 'plan-act:session'] as const)('appears in %s', (format) => {
    expect(decoded({ format })).toContain('the search backend is down')
  })
})

describe('an action that a guardrail stopped', () => {
  const reported = (c: CycleSpan) => c.guardrail({ name: 'safepred', action: CALL }, (g) => g.risk(RISK))
  const judged = (action?: ProposedAction) => (c: CycleSpan) => {
    c.model({ model: 'm' }, (m) => {
      const { name, callId: id, arguments: data } = CALL
      m.output([{ role: 'assistant', parts: [{ type: 'tool_call', id, name, arguments: data }] }])
    })
    return c.guardrail({ name: 'safepred', action }, (g) => g.risk(RISK))
  }

  test.each([
    ['reported by the guardrail', reported],
    ['proposed by the model', judged()],
    ['reported by its id, and proposed by the model', judged({ callId: CALL.callId })],
    ['reported without its arguments, and proposed by the model', judged({ name: CALL.name, callId: CALL.callId })],
  ])('is in the record, marked as not taken: %s', async (_, work) => {
    await desk(work)
    expect(cycles()[0]).toMatchObject({
      actionNeeded: true,
      actToolInfoList: [{ name: 'delete_file', id: 'call-2', parameters: '{"path":"/etc/hosts"}', result: REASON }],
      planspan: { risk: { assessments: [{ name: 'safepred', actionTaken: false }] } },
    })
  })

  test('is in the other dialects, without an outcome', async () => {
    await desk(reported)
    const [step] = record({ format: 'trajectory' }).steps
    expect(step?.actions).toEqual([{ action_type: 'delete_file', parameters: { path: '/etc/hosts' } }])
    expect(step).not.toHaveProperty('action_results')
    const lines = decoded({ format: 'plan-act:events' }).trimEnd().split('\n')
    const events = lines.map((line) => (JSON.parse(line) as { data: Record<string, unknown> }).data)
    expect(events.find(({ type, status }) => type === 'tool' && status === 'called')).toMatchObject({
      function_name: 'delete_file',
      function_args: { path: '/etc/hosts' },
      function_result: { success: false, message: REASON },
    })
    const live = decodeEvents(storedSpans(sdk.spans()), { planId: 'plan-desk', now: 0n })
    expect(live?.frames).toHaveLength(events.length)
  })

  test('is counted once, however many guardrails judged it', async () => {
    await desk(async (c) => {
      await reported(c)
      await reported(c)
    })
    expect(cycles()[0]?.actToolInfoList).toHaveLength(1)
  })
})

describe('whether a judged action was taken', () => {
  const guard = (c: CycleSpan, options: object = {}, isSafe = false) => {
    const guardrail = c.startGuardrail({ name: 'g', ...options })
    guardrail.risk({ score: isSafe ? 0 : 0.8, isSafe })
    guardrail.end()
    return guardrail
  }
  const call = (c: CycleSpan, options: object = {}) => c.tool({ name: 'send', ...options }, () => 'sent')

  test.each<[string, (c: CycleSpan) => unknown, boolean | undefined]>([
    ['a call after it', (c) => [guard(c), call(c)], true],
    ['a call before it', (c) => [call(c), guard(c)], undefined],
    ['no call at all', (c) => guard(c), false],
    ['a call that names it', (c) => call(c, { guardedBy: guard(c) }), true],
    ['a call that names another one', (c) => [guard(c), call(c, { guardedBy: guard(c, { name: 'h' }) })], undefined],
    ['the call of its id', (c) => [guard(c, { action: { callId: '1' } }), call(c, { callId: '1' })], true],
    ['a call of another id', (c) => [guard(c, { action: { callId: '1' } }), call(c, { callId: '2' })], false],
    ['a call of its tool', (c) => [guard(c, { action: { name: 'send' } }), call(c)], true],
    ['a call of another tool', (c) => [guard(c, { action: { name: 'delete' } }), call(c)], false],
  ])('%s', async (_, work, taken) => {
    await desk(work)
    expect(cycles()[0]?.planspan.risk.assessments[0]?.actionTaken).toBe(taken)
  })
})

describe('a plan that fails', () => {
  beforeEach(async () => {
    await plan({ workflow: 'desk', planId: 'plan-desk', title: 'Clean up' }, async (p: PlanSpan) => {
      await p.agent({ name: 'operator', step: 0 }, (a) => a.cycle((c) => failing(c)))
      throw new RangeError('the budget is spent')
    }).catch(() => undefined)
  })

  test('has the reason in its record', () => {
    expect(record()).toMatchObject({
      completed: true,
      summary: 'Error: the budget is spent',
      planspan: { errors: [{ span: 'invoke_workflow desk', type: 'RangeError', message: 'the budget is spent' }] },
    })
    expect(record({ form: 'lynxe-details' })).toMatchObject({ summary: 'Error: the budget is spent' })
  })

  test.each(['trajectory', 'trajectory:traj', 'review-log', 'plan-act:events', 'plan-act:sse'] as const)(
    'has the reason in %s',
    (format) => {
      expect(decoded({ format })).toContain('the budget is spent')
    },
  )
})
