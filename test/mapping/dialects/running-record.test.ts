import { readFileSync } from 'node:fs'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeRecord, type DecodeOptions } from '../../../src/mapping/index.js'
import { interruptOpenPlans } from '../../../src/tracing/open-spans.js'
import { PendingSpanProcessor, PlanspanProcessor, startPlan, startResume } from '../../../src/tracing/index.js'
import { storedSpan } from '../../support/stored-spans.js'

let exporter: InMemorySpanExporter
let provider: BasicTracerProvider

beforeEach(() => {
  exporter = new InMemorySpanExporter()
  const pending = new PendingSpanProcessor(new SimpleSpanProcessor(exporter))
  provider = new BasicTracerProvider({ spanProcessors: [new PlanspanProcessor(), pending] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
})
afterEach(async () => {
  await provider.shutdown()
  trace.disable()
  context.disable()
})

const planId = 'plan-1767061562002'

async function decode(options: DecodeOptions = {}) {
  await provider.forceFlush()
  return decodeRecord(exporter.getFinishedSpans().map(storedSpan), { planId, ...options })!
}
const record = async (options?: DecodeOptions) => JSON.parse((await decode(options)).text)

const sample = () =>
  JSON.parse(readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8'))

/** Values from Lynxe's database and clock, and the additions of its later release. */
const OWN_TO_EACH = new Set(['id', 'startTime', 'latestMethodName', 'latestMethodArgs', 'latestRoundNumber'])

const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (OWN_TO_EACH.has(key) ? undefined : inner)))

const waiting = () => {
  const p = startPlan({ planId, title: 'Form', request: 'Form' })
  p.update({ steps: ['[ConfigurableDynaAgent] fill the form', '[ConfigurableDynaAgent] send it'] })
  const agent = p.startAgent({
    name: 'ConfigurableDynaAgent',
    description: 'A configurable dynamic agent',
    step: 0,
    stepId: 'step-a',
    request: 'fill the form',
  })
  const [input] = sample().userInputWaitState.formInputs
  const wait = agent.startWait({ reason: 'form_input', formDescription: 'Please fill', formInputs: [input] })
  return { p, agent, wait }
}

test('a plan that waits for a form has the record that Lynxe shows at that time', async () => {
  waiting()
  const expected = comparable(sample()) as { agentExecutionSequence: object[] }
  const [, idle] = expected.agentExecutionSequence
  // A step without an id is identified by its plan.
  const recorded = { stepId: `${planId}-step-1`, agentDescription: 'No description available', agentRequest: 'send it' }
  Object.assign(idle!, recorded)
  expect(comparable(await record({ form: 'lynxe-details' }))).toEqual(expected)
  expect(await decode()).toMatchObject({ state: 'waiting', verdict: 'complete', missing: [] })
})

test('an idle agent has the id that its step has later', async () => {
  const { p, agent, wait } = waiting()
  const [, idle] = (await record()).agentExecutionSequence
  wait.answer({ resolution: 'submitted' })
  wait.end()
  agent.end()
  p.startAgent({ name: 'sender', step: 1 })
  const [, begun] = (await record()).agentExecutionSequence
  expect(idle).toMatchObject({ status: 'IDLE', idle: true, stepId: begun.stepId })
  expect(begun).toMatchObject({ status: 'RUNNING', agentName: 'sender' })
})

test('a running plan has an open cycle and a call without a result', async () => {
  const p = startPlan({ planId, steps: ['look', 'book'] })
  const cycle = p.startAgent({ name: 'a', step: 0 }).startCycle()
  cycle.startModel({ model: 'm', input: 'think' }).end()
  cycle.startTool({ name: 'browse', callId: 'call-1', arguments: { url: 'x' } })
  expect(await decode()).toMatchObject({ state: 'running', verdict: 'complete' })
  expect(await record()).toMatchObject({
    completed: false,
    currentStepIndex: 0,
    endTime: null,
    summary: null,
    structureResult: null,
    agentExecutionSequence: [
      {
        status: 'RUNNING',
        running: true,
        endTime: null,
        thinkActSteps: [
          {
            status: null,
            thinkEndTime: expect.any(String),
            actStartTime: expect.any(String),
            actEndTime: null,
            actToolInfoList: [{ name: 'browse', parameters: '{"url":"x"}', result: null, id: 'call-1' }],
          },
        ],
      },
      { status: 'IDLE' },
    ],
  })
  const { steps, planspan: _, ...rest } = await record({ format: 'trajectory' })
  expect(Object.keys(rest)).toEqual(['task_metadata'])
  expect(steps).toMatchObject([{ actions: [{ action_type: 'browse' }] }])
  expect(steps[0]).not.toHaveProperty('action_results')
})

test('a plan that one process suspended and another resumed is one plan', async () => {
  const { agent, wait } = waiting()
  const cycle = agent.startCycle()
  cycle.startTool({ name: 'open' })
  await provider.forceFlush()
  const token = wait.suspend()
  expect(await decode()).toMatchObject({ state: 'waiting', verdict: 'complete' })
  expect(await record()).toMatchObject({ completed: false, userInputWaitState: { waiting: true } })
  const again = startResume(token, { answer: { resolution: 'submitted', actor: 'ann' } })
  again.startAgent({ name: 'ConfigurableDynaAgent', step: 0, stepId: 'step-a' }).end()
  again.startAgent({ name: 'sender', step: 1 }).end()
  again.summary('sent')
  again.end()
  expect(await decode()).toMatchObject({ state: 'completed', verdict: 'complete', missing: [] })
  expect(await record()).toMatchObject({
    title: 'Form',
    completed: true,
    summary: 'sent',
    userInputWaitState: null,
    agentExecutionSequence: [
      {
        stepId: 'step-a',
        status: 'FINISHED',
        thinkActSteps: [{ status: null, actToolInfoList: [{ name: 'open', result: null }] }],
        planspan: { waits: [{ resolution: 'submitted', actor: 'ann' }] },
      },
      { agentName: 'sender', status: 'FINISHED' },
    ],
  })
})

test.each(['failed', 'cancelled', 'interrupted'])('steps that a %s plan did not reach stay idle', async (how) => {
  const p = startPlan({ planId, steps: ['look', 'book'] })
  p.startAgent({ name: 'a', step: 0 }).end()
  if (how === 'failed') p.fail(new Error('no money'))
  else if (how === 'cancelled') {
    p.cancel()
    p.end()
  } else interruptOpenPlans()
  expect(await record()).toMatchObject({
    agentExecutionSequence: [
      { status: 'FINISHED' },
      { status: 'IDLE', stepId: `${planId}-step-1`, agentRequest: 'book', currentStep: 1, errorMessage: null },
    ],
    structureResult: null,
  })
  const idle = await record({ stepId: `${planId}-step-1`, form: 'lynxe-agent-execution' })
  expect(idle).toMatchObject({ status: 'IDLE', agentRequest: 'book', errorMessage: null, thinkActSteps: [] })
})

test('sub-plans are in the order of their starts, whichever call started them', async () => {
  const agent = startPlan({ planId }).startAgent({ name: 'a', step: 0 })
  const cycle = agent.startCycle()
  const [first, second] = [cycle.startTool({ name: 'one' }), cycle.startTool({ name: 'two' })]
  for (const [tool, id] of [
    [first, 'sub-1'],
    [second, 'sub-2'],
    [first, 'sub-3'],
  ] as const) {
    startPlan({ planId: id }, tool.context).end()
  }
  const [{ subPlanExecutionRecords }] = (await record()).agentExecutionSequence
  expect(subPlanExecutionRecords.map((sub: { currentPlanId: string }) => sub.currentPlanId)).toEqual([
    'sub-1',
    'sub-2',
    'sub-3',
  ])
})

test('the structured result is that of the last step, whichever agent began last', async () => {
  const p = startPlan({ planId, steps: ['look', 'book'] })
  for (const step of [1, 0]) {
    const agent = p.startAgent({ name: 'a', step })
    const cycle = agent.startCycle()
    const tool = cycle.startTool({ name: 't' })
    tool.result({ of: step })
    for (const span of [tool, cycle, agent]) span.end()
  }
  p.end()
  expect((await record()).structureResult).toBe('{"of":1}')
})
