import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord, type DialectName } from '../../../src/mapping/index.js'
import { createManusRecorder, dropCounts, type ManusRecorder } from '../../../src/tracing/index.js'
import { storedSpan } from '../../support/stored-spans.js'
import { installSdk, type InMemorySdk } from '../in-memory-sdk.js'

type Data = Readonly<Record<string, unknown>>
interface Entry {
  readonly id: string
  readonly data: Data
}

const stream = (name: string): Entry[] =>
  readFileSync(new URL(`../../fixtures/plan-act/${name}/redis_output_stream.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)

let sdk: InMemorySdk
let recorder: ManusRecorder
let dropped: number

beforeEach(() => {
  sdk = installSdk()
  recorder = createManusRecorder({ sessionId: 'session-1' })
  dropped = dropCounts().event
})
afterEach(() => sdk.uninstall())

const drops = () => dropCounts().event - dropped
const decode = (format: DialectName = 'plan-execution', planId = recorder.planId!) =>
  decodeRecord(sdk.spans().map(storedSpan), { planId, format })!
const record = () => JSON.parse(decode().text) as Data
const events = () =>
  decode('plan-act:events')
    .text.trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { data: Data }).data)
const take = (...events: unknown[]) => events.forEach((event) => recorder.event(event))

const head = { id: 'an-event', timestamp: '2026-01-15T13:54:50.123456' }
const step = (id: string, status: string, rest: Data = {}) => ({
  ...head,
  type: 'step',
  status: status === 'running' ? 'started' : status,
  step: {
    id,
    description: `do ${id}`,
    status,
    result: null,
    error: null,
    success: status === 'completed',
    attachments: [],
    ...rest,
  },
})
const plan = (status: string, ...ids: string[]) => ({
  ...head,
  type: 'plan',
  status,
  step: null,
  plan: {
    id: 'plan-uuid',
    title: 'A plan',
    goal: 'a goal',
    language: 'en',
    message: 'On it',
    status: 'pending',
    steps: ids.map((id) => step(id, 'pending').step),
    result: null,
    error: null,
  },
})
const tool = (id: string, status: string, rest: Data = {}) => ({
  ...head,
  type: 'tool',
  tool_call_id: id,
  tool_name: 'shell',
  tool_content: null,
  function_name: 'shell_exec',
  function_args: { command: 'ls' },
  status,
  function_result: null,
  ...rest,
})
const message = (role: string, text: string) => ({ ...head, type: 'message', role, message: text, attachments: [] })
const bare = (type: string, rest: Data = {}) => ({ ...head, type, ...rest })

describe.each([
  ['as entries of the Redis stream', (entry: Entry): unknown => entry],
  ['as bare events', (entry: Entry): unknown => entry.data],
])('ManusX’s own run, %s', (_form, inForm) => {
  test('is the record of its plan', () => {
    take(...stream('default-mock').map(inForm))
    expect(drops()).toBe(0)
    expect(decode()).toMatchObject({
      verdict: 'complete',
      missing: [],
      state: 'completed',
      live: true,
      planId: '259c0961-3484-49f5-969c-2ac637204860',
    })
    const calls = stream('default-mock').filter(({ data }) => data['status'] === 'called')
    expect(calls).toHaveLength(7)
    expect(record()).toMatchObject({
      title: 'test title',
      steps: ['test step'],
      currentStepIndex: 0,
      completed: true,
      summary: 'This is a test',
      agentExecutionSequence: [
        {
          stepId: '1',
          agentName: 'execution',
          conversationId: 'session-1',
          status: 'FINISHED',
          agentRequest: 'test step',
          result: 'test end',
          thinkActSteps: calls.map(({ data }) => ({
            actToolInfoList: [
              {
                name: data['function_name'],
                id: data['tool_call_id'],
                parameters: JSON.stringify(data['function_args']),
                result: JSON.stringify(data['function_result']),
              },
            ],
          })),
        },
      ],
    })
    expect(sdk.spans().filter(({ name }) => name === 'plan planner')).toHaveLength(2)
  })

  test('contains its events again, each once, in order and with all values', () => {
    const entries = stream('default-mock')
    take(...entries.map(inForm))
    expect(events()).toEqual(entries.map(({ data }) => data))
  })

  test('without steps is a plan without agents', () => {
    take(...stream('no-steps').map(inForm))
    expect(drops()).toBe(0)
    expect(decode()).toMatchObject({ verdict: 'complete', state: 'completed' })
    expect(record()).toMatchObject({ title: 'Not feasible', summary: 'Not feasible', agentExecutionSequence: [] })
  })
})

test('events with a stream id have its times, others the current time', () => {
  take(...stream('default-mock'))
  const root = sdk.span('invoke_workflow plan_act')
  expect(root.startTime).toEqual([1_795_305_656, 12_718_000])
  expect(root.endTime).toEqual([1_795_305_658, 126_003_000])
  const browse = sdk.span('execute_tool browser_navigate')
  expect(browse.startTime).toEqual([1_795_305_657, 456_990_000])
  expect(browse.endTime).toEqual([1_795_305_657, 663_404_000])
})

describe('a wait', () => {
  const asked = [
    message('user', 'Book'),
    plan('created', '1', '2'),
    step('1', 'running'),
    message('assistant', 'Where to?'),
    bare('wait'),
  ]

  test.each([
    ['the user’s answer', [message('user', 'Rome'), step('1', 'running')], [['user', 'Rome']]],
    ['the step alone', [step('1', 'running')], []],
  ])('ends with %s, and the step continues as one agent', (_what, answer, answers) => {
    take(...asked, ...answer, step('1', 'completed', { result: 'booked' }), plan('completed', '1', '2'), bare('done'))
    expect(drops()).toBe(0)
    expect(decode().state).toBe('completed')
    expect(record()).toMatchObject({
      userRequest: 'Book',
      completed: true,
      agentExecutionSequence: [
        { stepId: '1', result: 'booked', planspan: { waits: [{ reason: 'form_input', resolution: 'submitted' }] } },
        { stepId: '2', status: 'IDLE' },
      ],
    })
    expect(sdk.spans().filter(({ name }) => name === 'invoke_agent execution')).toHaveLength(1)
    const said = events().flatMap(({ role, message: text }) => (role === undefined ? [] : [[role, text]]))
    expect(said).toEqual([['user', 'Book'], ['assistant', 'Where to?'], ...answers])
  })

  test('that never ends is interrupted with its plan', () => {
    take(...asked)
    recorder.end()
    expect(decode()).toMatchObject({ verdict: 'complete', state: 'interrupted' })
    expect(record()).toMatchObject({
      completed: false,
      agentExecutionSequence: [{ status: 'RUNNING' }, { status: 'IDLE', stepId: '2' }],
    })
  })
})

describe('failures', () => {
  test('an error ends the plan, its step and its call', () => {
    take(
      plan('created', '1'),
      step('1', 'running'),
      tool('call-1', 'calling'),
      bare('error', { error: 'Task error: boom' }),
    )
    expect(decode().state).toBe('failed')
    expect(record()).toMatchObject({
      agentExecutionSequence: [
        {
          errorMessage: 'Task error: boom',
          thinkActSteps: [{ actToolInfoList: [{ id: 'call-1', result: 'Error: Task error: boom' }] }],
        },
      ],
    })
    expect(events().at(-1)).toMatchObject({ type: 'error', error: 'Task error: boom' })
    take(bare('error', { error: 'a second one' }))
    expect(
      events()
        .map(({ type, error }) => [type, error])
        .slice(-2),
    ).toEqual([
      ['error', 'Task error: boom'],
      ['error', 'a second one'],
    ])
    expect(drops()).toBe(0)
  })

  test('an error before any plan event is a failed plan', () => {
    take(message('user', 'Book'), bare('error', { error: 'no model' }))
    expect(decode().state).toBe('failed')
    expect(record()).toMatchObject({ userRequest: 'Book', agentExecutionSequence: [] })
  })

  test('a failed step fails its agent, a failed call only its tool', () => {
    const refused = { function_result: { success: false, message: 'refused', data: null } }
    take(plan('created', '1', '2'), step('1', 'running'), tool('call-1', 'calling'), tool('call-1', 'called', refused))
    take(step('1', 'completed'), step('2', 'running'), step('2', 'failed', { error: 'too many steps' }), bare('done'))
    expect(record()).toMatchObject({
      agentExecutionSequence: [
        { stepId: '1', errorMessage: null, thinkActSteps: [{ status: 'FAILED', errorMessage: 'refused' }] },
        { stepId: '2', errorMessage: 'too many steps' },
      ],
    })
    expect(sdk.span('execute_tool shell_exec').status).toMatchObject({ message: 'refused' })
  })

  test('a session is rebuilt as it was recorded: unsuccessful steps, files, the planner’s message, and no failed step', () => {
    const files = { success: false, attachments: ['/home/ubuntu/report.md'] }
    take(plan('created', '1', '2'), step('1', 'running'), step('1', 'completed', files), step('2', 'running'))
    take(bare('error', { error: 'Task error: boom' }))
    const reported = events()
    expect(reported.find(({ type }) => type === 'plan')).toMatchObject({ plan: { message: 'On it', goal: 'a goal' } })
    expect(reported.filter(({ type }) => type === 'step').map(({ status }) => status)).toEqual([
      'started',
      'completed',
      'started',
    ])
    expect(reported.find(({ type, status }) => type === 'step' && status === 'completed')).toMatchObject({
      step: files,
    })
  })

  test('a plan that is done before it is completed was cancelled', () => {
    take(plan('created', '1', '2'), step('1', 'running'), tool('call-1', 'calling'), bare('done'))
    expect(decode().state).toBe('cancelled')
    expect(sdk.spans()).toHaveLength(5)
  })

  test('calls return in any order, even without a start', () => {
    take(plan('created', '1'), step('1', 'running'), tool('a', 'calling'), tool('b', 'calling'))
    for (const id of ['b', 'a', 'c']) take(tool(id, 'called', { function_result: { success: true, data: id } }))
    take(step('1', 'completed'), plan('completed', '1'), bare('done'))
    const ids = ['a', 'b', 'c']
    expect(record()).toMatchObject({
      agentExecutionSequence: [
        { thinkActSteps: ids.map((id) => ({ actToolInfoList: [{ id, result: `{"success":true,"data":"${id}"}` }] })) },
      ],
    })
  })

  test('calls beyond the steps belong to an agent without one', () => {
    take(plan('created', '1'), step('1', 'running'), step('1', 'completed'), tool('a', 'calling'), tool('a', 'called'))
    take(message('assistant', 'All done'), plan('completed', '1'), bare('done'))
    expect(record()).toMatchObject({
      summary: 'All done',
      agentExecutionSequence: [
        { stepId: '1' },
        { status: 'FINISHED', thinkActSteps: [{ actToolInfoList: [{ id: 'a' }] }] },
      ],
    })
  })
})

test('each request of a session is a separate plan', () => {
  take(message('user', 'One'), plan('created'), plan('completed'), bare('done'))
  const other = plan('created')
  take(message('user', 'Two'), { ...other, plan: { ...other.plan, id: 'plan-other' } }, plan('completed'), bare('done'))
  expect(JSON.parse(decode('plan-execution', 'plan-uuid').text)).toMatchObject({ userRequest: 'One' })
  expect(JSON.parse(decode('plan-execution', 'plan-other').text)).toMatchObject({ userRequest: 'Two' })
})

test.each([
  ['no event', 7],
  ['an event of an unknown type', bare('skill', { skill_name: 's' })],
  ['the end of nothing', bare('done')],
  ['a wait for nothing', bare('wait')],
])('%s is dropped and counted', (_what, event) => {
  recorder.event(event)
  expect(drops()).toBe(1)
  expect(sdk.spans()).toEqual([])
})

test('no event makes the recorder throw, and its open spans can still be ended', () => {
  const known = fc.constantFrom(
    message('user', 'u'),
    message('assistant', 'a'),
    plan('created', '1', '2'),
    plan('updated', '2'),
    plan('completed'),
    step('1', 'running'),
    step('1', 'completed'),
    step('2', 'failed'),
    tool('c', 'calling'),
    tool('c', 'called'),
    bare('wait'),
    bare('error', { error: 'e' }),
    bare('done'),
    bare('title', { title: 't' }),
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ arbitrary: known, weight: 6 }, fc.anything(), fc.object()), { maxLength: 25 }),
      (anything) => {
        const all = sdk.spans().length
        const any = createManusRecorder()
        for (const event of anything) any.event(event)
        any.end()
        const spans = sdk.spans().slice(all).map(storedSpan)
        for (const planId of new Set(spans.map(({ attributes }) => attributes['planspan.plan.id']!))) {
          const one = spans.filter(({ attributes }) => attributes['planspan.plan.id'] === planId)
          const traces = new Set(one.map(({ traceId }) => traceId))
          for (const traceId of traces) {
            expect(
              decodeRecord(
                one.filter((span) => span.traceId === traceId),
                { planId },
              )?.missing,
            ).toEqual([])
          }
        }
      },
    ),
    { numRuns: 100 },
  )
})
