import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord, type RecordForm } from '../../../src/mapping/index.js'
import { agentExecutionRecordSchema, planExecutionRecordSchema } from '../../../src/records/index.js'
import {
  createLynxeRecorder,
  dropCounts,
  type LynxeRecorder,
  type LynxeStep,
  PendingSpanProcessor,
} from '../../../src/tracing/index.js'
import { storedSpan } from '../../support/stored-spans.js'
import { installSdk, type InMemorySdk } from '../in-memory-sdk.js'

let sdk: InMemorySdk
let recorder: LynxeRecorder
let dropped: number

beforeEach(() => {
  sdk = installSdk()
  recorder = createLynxeRecorder()
  dropped = dropCounts().event
})
afterEach(() => sdk.uninstall())

const drops = () => dropCounts().event - dropped
const decode = (planId: string, form: RecordForm = 'record') =>
  decodeRecord(sdk.spans().map(storedSpan), { planId, form })!
const record = (planId: string) => planExecutionRecordSchema.parse(JSON.parse(decode(planId).text))

const agent = { name: 'ConfigurableDynaAgent', description: 'A configurable dynamic agent' }
const write = { stepId: 'step-a', stepIndex: 0, stepRequirement: '[ConfigurableDynaAgent] write article', agent }
const send = { stepId: 'step-b', stepIndex: 1, stepRequirement: '[MAILER] send it' }
const writeCall = {
  name: 'file-service-group_write-file-operator',
  parameters: '{"file_path": "article.md"}',
  toolCallId: 'toolcall-1767061562532_7902_107',
}
const delegate = { name: 'research', parameters: '{"topic": "cats"}', toolCallId: 'toolcall-2' }

function start(planId = 'plan-1', steps: LynxeStep[] = [write, send]) {
  recorder.recordPlanExecutionStart(planId, 'Article', 'Write an article', steps, null, planId, null)
}

function think(step: LynxeStep = write, calls = [writeCall]) {
  recorder.recordThinkingAndAction(step, {
    thinkInput: "[UserMessage{content='...'}]",
    thinkOutput: '',
    inputCharCount: 1466,
    outputCharCount: 1679,
    modelContextLimit: 128_000,
    actToolInfoList: calls,
  })
}

/** A whole run: an agent with a call and a nested sub-plan, then an agent whose model fails. */
function run() {
  start()
  recorder.recordStepStart(write, 'plan-1')
  think(write, [writeCall, delegate])
  recorder.recordActionResult([{ ...writeCall, result: '{"output":"written"}' }])
  const scout = { stepId: 'step-sub', stepIndex: 0, stepRequirement: 'look around' }
  recorder.recordPlanExecutionStart('subplan-1', 'Cats', 'cats', [scout], 'plan-1', 'plan-1', delegate.toolCallId)
  recorder.recordStepStart(scout, 'subplan-1')
  recorder.recordCompleteAgentExecution(scout)
  recorder.recordStepEnd(scout, 'subplan-1')
  recorder.recordPlanCompletion('subplan-1', 'Nine lives')
  recorder.recordActionResult([{ ...delegate, result: '{ "summary": "Nine lives" }' }])
  recorder.recordCompleteAgentExecution(write)
  recorder.recordStepEnd(write, 'plan-1')
  recorder.recordStepStart(send, 'plan-1')
  recorder.recordThinkingAndAction(send, {
    thinkInput: 'System error occurred during execution',
    thinkOutput: 'SystemErrorReportTool called to report system error',
    errorMessage: 'LLM call failed after all retry attempts.',
    actToolInfoList: [
      {
        name: 'system-error-report',
        parameters: '{}',
        result: '{ "id": 12345678901234567890 }',
        toolCallId: 'toolcall-3',
      },
    ],
  })
  recorder.recordCompleteAgentExecution(send)
  recorder.recordStepEnd({ ...send, errorMessage: 'no network' }, 'plan-1')
  recorder.recordPlanCompletion('plan-1', 'An article about cats.')
}

describe('the record of a run recorded by Lynxe’s hooks', () => {
  test('contains what Lynxe’s own record would', () => {
    run()
    expect(drops()).toBe(0)
    expect(decode('plan-1')).toMatchObject({ verdict: 'complete', missing: [], state: 'completed', live: true })
    expect(record('plan-1')).toMatchObject({
      currentPlanId: 'plan-1',
      rootPlanId: 'plan-1',
      parentPlanId: null,
      toolCallId: null,
      title: 'Article',
      userRequest: 'Write an article',
      currentStepIndex: 1,
      completed: true,
      summary: 'An article about cats.',
      structureResult: '{"id":12345678901234567890}',
      modelName: null,
      userInputWaitState: null,
      steps: ['[ConfigurableDynaAgent] write article', '[MAILER] send it'],
      agentExecutionSequence: [
        {
          stepId: 'step-a',
          agentName: 'ConfigurableDynaAgent',
          agentDescription: 'A configurable dynamic agent',
          status: 'FINISHED',
          agentRequest: '[ConfigurableDynaAgent] write article',
          result: null,
          errorMessage: null,
          thinkActSteps: [
            {
              thinkInput: "[UserMessage{content='...'}]",
              thinkOutput: '',
              actionNeeded: true,
              errorMessage: null,
              inputCharCount: 1466,
              outputCharCount: 1679,
              modelContextLimit: 128_000,
              actToolInfoList: [
                {
                  name: writeCall.name,
                  parameters: writeCall.parameters,
                  result: '{"output":"written"}',
                  id: writeCall.toolCallId,
                },
                { name: 'research', result: '{ "summary": "Nine lives" }', id: 'toolcall-2' },
              ],
            },
          ],
          subPlanExecutionRecords: [
            {
              currentPlanId: 'subplan-1',
              rootPlanId: 'plan-1',
              parentPlanId: 'plan-1',
              toolCallId: 'toolcall-2',
              summary: 'Nine lives',
              structureResult: null,
              parentActToolCall: { name: 'research', id: 'toolcall-2' },
              agentExecutionSequence: [
                {
                  stepId: 'step-sub',
                  agentName: 'Agent',
                  agentDescription: 'No description available',
                  agentRequest: 'look around',
                  thinkActSteps: [],
                },
              ],
            },
          ],
        },
        {
          stepId: 'step-b',
          currentStep: 1,
          maxSteps: 0,
          agentName: 'MAILER',
          status: 'FINISHED',
          errorMessage: 'no network',
          thinkActSteps: [
            {
              thinkInput: 'System error occurred during execution',
              errorMessage: 'LLM call failed after all retry attempts.',
            },
          ],
        },
      ],
    })
  })

  test('matches the responses of Lynxe’s two paths', () => {
    run()
    const details = JSON.parse(decode('plan-1', 'lynxe-details').text)
    expect(details).toMatchObject({
      completed: true,
      agentExecutionSequence: [{ completed: true, thinkActSteps: [] }, {}],
    })
    const answer = decodeRecord(sdk.spans().map(storedSpan), { stepId: 'step-a', form: 'lynxe-agent-execution' })
    expect(agentExecutionRecordSchema.parse(JSON.parse(answer!.text))).toMatchObject({
      stepId: 'step-a',
      thinkActSteps: [{ actToolInfoList: [{ id: writeCall.toolCallId }, {}] }],
    })
  })

  test('keeps concurrent plans apart', () => {
    start('plan-1', [write])
    start('plan-2', [send])
    recorder.recordStepStart(send, 'plan-2')
    recorder.recordStepStart(write, 'plan-1')
    think(send, [{ ...writeCall, toolCallId: 'call-2' }])
    think(write, [{ ...writeCall, toolCallId: 'call-1' }])
    recorder.recordActionResult([
      { ...writeCall, toolCallId: 'call-1', result: 'one' },
      { ...writeCall, toolCallId: 'call-2', result: 'two' },
    ])
    for (const step of [write, send]) recorder.recordStepEnd(step)
    recorder.recordPlanCompletion('plan-2')
    recorder.recordPlanCompletion('plan-1')
    const traces = new Set(sdk.spans().map((span) => span.spanContext().traceId))
    expect(traces.size).toBe(2)
    for (const [planId, result] of [
      ['plan-1', 'one'],
      ['plan-2', 'two'],
    ] as const) {
      expect(record(planId)).toMatchObject({
        summary: null,
        structureResult: result,
        agentExecutionSequence: [{ thinkActSteps: [{ actToolInfoList: [{ result }] }] }],
      })
    }
    expect(drops()).toBe(0)
  })

  test('shows a step that never ended as running and its call without a result', () => {
    start()
    recorder.recordStepStart(write, 'plan-1')
    think()
    recorder.recordPlanCompletion('plan-1', 'interrupted')
    expect(record('plan-1')).toMatchObject({
      completed: true,
      currentStepIndex: 1,
      agentExecutionSequence: [
        { status: 'RUNNING', thinkActSteps: [{ actToolInfoList: [{ result: null, id: writeCall.toolCallId }] }] },
        { status: 'IDLE' },
      ],
    })
  })

  test('interrupts an open sub-plan when its plan ends', () => {
    start()
    recorder.recordStepStart(write, 'plan-1')
    think(write, [delegate])
    const scout = { stepId: 'step-sub', stepRequirement: 'look' }
    recorder.recordPlanExecutionStart('sub', 'Cats', 'cats', [scout], 'plan-1', 'plan-1', delegate.toolCallId)
    recorder.recordStepStart(scout, 'sub')
    recorder.recordPlanCompletion('plan-1')
    expect(decode('plan-1').missing).toEqual([])
    expect(decode('sub').state).toBe('interrupted')
    expect(record('sub')).toMatchObject({ completed: false, agentExecutionSequence: [{ status: 'RUNNING' }] })
  })

  test('treats a plan that is reported again as a new version', () => {
    start('plan-1', [write])
    recorder.recordPlanExecutionStart('plan-1', 'Articles', 'Write two', [write, send], null, 'plan-1', null)
    recorder.recordPlanCompletion('plan-1')
    expect(sdk.spans().filter(({ name }) => name === 'invoke_workflow')).toHaveLength(1)
    expect(record('plan-1')).toMatchObject({
      title: 'Articles',
      userRequest: 'Write two',
      steps: [write.stepRequirement, send.stepRequirement],
    })
  })

  test('keeps a step that never began, under its reported id', () => {
    start()
    recorder.recordStepStart(write, 'plan-1')
    think()
    recorder.recordActionResult([{ ...writeCall, result: '{"output":"written"}' }])
    recorder.recordStepEnd({ ...write, errorMessage: 'no disk' }, 'plan-1')
    recorder.recordPlanCompletion('plan-1')
    expect(record('plan-1')).toMatchObject({
      structureResult: null,
      agentExecutionSequence: [
        { stepId: 'step-a' },
        { stepId: 'step-b', status: 'IDLE', agentName: 'MAILER', agentRequest: 'send it', currentStep: 1 },
      ],
    })
  })

  test('starts thinking at the start of the agent or the end of its last call, and nests all times', () => {
    run()
    const nanos = ([seconds, rest]: readonly [number, number]) => BigInt(seconds) * 1_000_000_000n + BigInt(rest)
    for (const span of sdk.spans()) {
      const parent = sdk.spans().find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId)
      if (parent) expect(nanos(span.startTime)).toBeGreaterThanOrEqual(nanos(parent.startTime))
      expect(nanos(span.endTime)).toBeGreaterThanOrEqual(nanos(span.startTime))
    }
  })
})

describe('a form that waits for the user', () => {
  const form = {
    title: 'Where to?',
    formDescription: 'Choose a city.',
    formInputs: [{ name: 'city', label: 'City', type: 'text', value: '', required: 'true' }],
  }

  test('is the state of the plan while it waits, and a wait of the call that shows it', () => {
    start('plan-1', [write])
    recorder.recordStepStart(write, 'plan-1')
    think(write, [delegate])
    recorder.recordUserInputWait('plan-1', form, delegate.toolCallId)
    recorder.recordUserInput('plan-1', { actor: 'guest', formInputs: [{ ...form.formInputs[0], value: 'Rome' }] })
    recorder.recordActionResult([{ ...delegate, result: 'Rome' }])
    recorder.recordStepEnd(write)
    recorder.recordPlanCompletion('plan-1')
    expect(drops()).toBe(0)
    const wait = sdk.span('wait_for_user')
    expect(wait.parentSpanContext?.spanId).toBe(sdk.span('execute_tool research').spanContext().spanId)
    expect(wait.attributes).toMatchObject({
      'planspan.wait.title': 'Where to?',
      'planspan.wait.form_description': 'Choose a city.',
      'planspan.wait.resolution': 'submitted',
      'planspan.wait.actor': 'guest',
      'planspan.wait.form_inputs': expect.stringContaining('"value":""'),
      'planspan.wait.form_answers': expect.stringContaining('"value":"Rome"'),
    })
  })

  test.each([
    ['expires', (r: LynxeRecorder) => r.recordUserInput('plan-1', { resolution: 'expired' }), 'expired'],
    ['is given up with its plan', () => {}, 'cancelled'],
  ])('%s', (_what, end, resolution) => {
    start('plan-1', [write])
    recorder.recordStepStart(write, 'plan-1')
    recorder.recordUserInputWait('plan-1', form)
    end(recorder)
    recorder.recordPlanCompletion('plan-1')
    const wait = sdk.span('wait_for_user')
    expect(wait.parentSpanContext?.spanId).toBe(sdk.span('invoke_agent ConfigurableDynaAgent').spanContext().spanId)
    expect(wait.attributes).toMatchObject({ 'planspan.wait.resolution': resolution })
  })

  test('of no plan, and an answer that nobody waits for, are counted', () => {
    recorder.recordUserInputWait('nope', form)
    start('plan-1', [write])
    recorder.recordUserInput('plan-1')
    expect(drops()).toBe(2)
  })
})

describe('hooks after a restart of the process', () => {
  const tokens = new Map<string, string>()
  let pending: PendingSpanProcessor
  /** Leaves everything open, as the end of a process does after its last snapshots. */
  const restart = async () => {
    await pending.forceFlush()
    recorder = createLynxeRecorder({ tokens })
  }
  beforeEach(() => {
    sdk.uninstall()
    sdk = installSdk({ before: (next) => (pending = new PendingSpanProcessor(next)) })
    tokens.clear()
    recorder = createLynxeRecorder({ tokens })
  })
  afterEach(() => pending.shutdown())

  test('continue the plan, its step and its wait in the same trace', async () => {
    start()
    recorder.recordStepStart(write, 'plan-1')
    think()
    recorder.recordUserInputWait('plan-1', { title: 'Where to?' })
    await restart()
    recorder.recordUserInput('plan-1', { resolution: 'submitted' })
    think(write, [delegate])
    recorder.recordActionResult([
      { ...delegate, result: 'Rome' },
      { ...writeCall, result: 'written' },
    ])
    recorder.recordCompleteAgentExecution(write)
    recorder.recordStepEnd(write)
    await restart()
    recorder.recordStepStart(send, 'plan-1')
    recorder.recordStepEnd({ ...send, errorMessage: 'no network' }, 'plan-1')
    recorder.recordPlanCompletion('plan-1', 'An article')
    expect(drops()).toBe(0)
    expect(tokens.size).toBe(0)
    expect(new Set(sdk.spans().map((span) => span.spanContext().traceId)).size).toBe(1)
    const waits = sdk.spans().filter(({ name }) => name === 'wait_for_user')
    expect(waits.at(-1)!.attributes).toMatchObject({ 'planspan.wait.resolution': 'submitted' })
    expect(decode('plan-1')).toMatchObject({ state: 'completed', missing: [] })
    expect(record('plan-1')).toMatchObject({
      currentStepIndex: 1,
      completed: true,
      summary: 'An article',
      agentExecutionSequence: [
        {
          stepId: 'step-a',
          thinkActSteps: [
            { actToolInfoList: [{ id: writeCall.toolCallId, result: null }] },
            { actToolInfoList: [{ id: delegate.toolCallId, result: 'Rome' }] },
            { actToolInfoList: [{ id: writeCall.toolCallId, result: 'written' }] },
          ],
        },
        { stepId: 'step-b', errorMessage: 'no network' },
      ],
    })
  })

  test('without a token are counted', async () => {
    start()
    tokens.clear()
    await restart()
    recorder.recordStepStart(write, 'plan-1')
    recorder.recordPlanCompletion('plan-1')
    expect(drops()).toBe(2)
  })
})

describe('an event with an unknown reference', () => {
  test.each<[string, (recorder: LynxeRecorder) => void]>([
    ['a plan without an id', (r) => r.recordPlanExecutionStart(' ')],
    ['the completion of an unknown plan', (r) => r.recordPlanCompletion('nope', 's')],
    ['a step of no plan', (r) => r.recordStepStart({ stepId: 'nope' }, 'nope')],
    ['a thought before its step', (r) => r.recordThinkingAndAction(send, { thinkInput: 'x' })],
    ['a result without a call', (r) => r.recordActionResult([{ ...writeCall, toolCallId: 'nope', result: 'x' }])],
    ['the completion of an agent before its step', (r) => r.recordCompleteAgentExecution(send)],
    ['the end of a step before its start', (r) => r.recordStepEnd(send, 'plan-1')],
    ['a second start of a step', (r) => r.recordStepStart(write, 'plan-1')],
    [
      'a sub-plan of an unknown call',
      (r) => r.recordPlanExecutionStart('sub', 't', 'r', [], 'plan-1', 'plan-1', 'nope'),
    ],
  ])('%s is dropped and counted', (_what, call) => {
    start()
    recorder.recordStepStart(write, 'plan-1')
    call(recorder)
    expect(drops()).toBe(1)
    recorder.recordPlanCompletion('sub')
    recorder.recordPlanCompletion('plan-1')
    expect(record('plan-1')).toMatchObject({
      agentExecutionSequence: [{ subPlanExecutionRecords: [] }, { status: 'IDLE' }],
    })
  })

  test('a sub-plan with an unknown call stays in the trace of the plan that it names', () => {
    start()
    recorder.recordPlanExecutionStart('sub', 't', 'r', [], 'plan-1', 'plan-1', 'nope')
    recorder.recordPlanCompletion('sub')
    recorder.recordPlanCompletion('plan-1')
    expect(new Set(sdk.spans().map((span) => span.spanContext().traceId)).size).toBe(1)
    expect(record('sub')).toMatchObject({ rootPlanId: 'plan-1', parentPlanId: 'plan-1' })
  })

  test('no hook throws, whatever its arguments', () => {
    const hooks = [
      'recordPlanExecutionStart',
      'recordStepStart',
      'recordThinkingAndAction',
      'recordActionResult',
      'recordCompleteAgentExecution',
      'recordStepEnd',
      'recordPlanCompletion',
    ] as const
    const call = fc.tuple(
      fc.constantFrom(...hooks),
      fc.array(fc.oneof(fc.anything(), fc.constant(write), fc.constant('plan-1')), { maxLength: 7 }),
    )
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
        const before = sdk.spans().length
        const any = createLynxeRecorder() as unknown as Record<string, (...args: unknown[]) => void>
        any['recordPlanExecutionStart']!('plan-1', 't', 'r', [write])
        for (const [hook, args] of calls) any[hook]!(...args)
        any['recordPlanCompletion']!('plan-1')
        const spans = sdk.spans().slice(before).map(storedSpan)
        // Not every value can be sent, but no span may be missing.
        const gaps = decodeRecord(spans, { planId: 'plan-1' })?.missing
        expect(gaps?.filter((gap) => !gap.endsWith('could not be sent'))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
