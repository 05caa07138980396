import { describe, expect, test } from 'vitest'
import { decodeRecord, type DecodeOptions } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { at, finalRow, snapshotRow, type LiveRow } from '../../support/live-rows.js'

const state = (value: string) => ({ [ATTR.state]: value })
const decode = (rows: readonly StoredSpan[], options?: DecodeOptions) => decodeRecord(rows, options)!
const record = (rows: readonly StoredSpan[], options?: DecodeOptions) => JSON.parse(decode(rows, options).text)

const plan = (segment: number, row: Partial<LiveRow> = {}): LiveRow => ({
  id: `plan-${segment}`,
  role: 'plan',
  start: segment * 100,
  ...(segment > 0 && { parent: `plan-${segment - 1}` }),
  ...row,
  attributes: { [ATTR.planSegment]: String(segment), ...row.attributes },
})
const agent = (segment: number, step: number, row: Partial<LiveRow> = {}): LiveRow => ({
  id: `agent-${segment}-${step}`,
  role: 'agent',
  parent: `plan-${segment}`,
  start: segment * 100 + 10,
  seq: 0,
  ...row,
  attributes: { [ATTR.stepId]: `step-${step}`, [ATTR.stepIndex]: String(step), ...row.attributes },
})
const cycle = (segment: number, step: number, index: number, row: Partial<LiveRow> = {}): LiveRow => ({
  id: `cycle-${segment}-${step}-${index}`,
  role: 'think_act',
  parent: `agent-${segment}-${step}`,
  start: segment * 100 + 20,
  seq: index,
  ...row,
  attributes: { [ATTR.stepIndex]: String(index), ...row.attributes },
})
const tool = (above: LiveRow, row: Partial<LiveRow> = {}): LiveRow => ({
  id: `tool-${above.id}`,
  role: 'tool',
  parent: above.id,
  start: (above.start ?? 0) + 1,
  ...row,
  attributes: { [ATTR.toolName]: `tool ${above.id}`, ...row.attributes },
})
const wait = (segment: number, row: Partial<LiveRow> = {}): LiveRow => ({
  id: `wait-${segment}`,
  role: 'wait',
  parent: `plan-${segment}`,
  start: 30,
  ...row,
  attributes: { [ATTR.waitId]: 'w', ...row.attributes },
})

/** Killed in the middle of a tool call, and resumed. */
const killed = [
  snapshotRow(plan(0, { end: 29, attributes: { [ATTR.planTitle]: 'Trip', [ATTR.inputMessages]: asked('Go') } }), 3),
  finalRow(agent(0, 0, { attributes: { ...state('completed'), [ATTR.outputMessages]: asked('looked') } })),
  snapshotRow(agent(0, 1, { start: 15, seq: 1 }), 0),
  finalRow(cycle(0, 1, 0, { attributes: state('completed') })),
  snapshotRow(cycle(0, 1, 1, { start: 21 }), 0),
  snapshotRow(tool(cycle(0, 1, 1, { start: 21 }), { end: 28 }), 0),
]
const resumed = [
  finalRow(
    plan(1, { end: 190, attributes: { ...state('completed'), [ATTR.planSummary]: 'Gone', ...children('agent', 2) } }),
  ),
  finalRow(agent(1, 1, { end: 150, attributes: { ...state('completed'), ...children('think_act', 1) } })),
  finalRow(cycle(1, 1, 0, { attributes: { ...state('completed'), ...children('tool', 1) } })),
  finalRow(tool(cycle(1, 1, 0), { attributes: { [ATTR.toolCallResult]: 'done' } })),
  finalRow(agent(1, 2, { start: 160, end: 180, seq: 1, attributes: state('completed') })),
]

function asked(content: string): string {
  return JSON.stringify([{ role: 'user', parts: [{ type: 'text', content }] }])
}

function children(role: string, count: number): Record<string, string> {
  return { [`${ATTR.childrenPrefix}${role}`]: String(count) }
}

describe('a plan that was killed and resumed', () => {
  test('is one plan, from the start of the first segment to the end of the last', () => {
    const rows = [...resumed, ...killed]
    expect(decode(rows)).toMatchObject({ state: 'completed', verdict: 'complete', missing: [] })
    expect(record(rows)).toMatchObject({
      title: 'Trip',
      userRequest: 'Go',
      summary: 'Gone',
      completed: true,
      startTime: '2026-03-04T12:00:00.000Z',
      endTime: '2026-03-04T12:03:10.000Z',
    })
  })

  test('has each agent once, with all its cycles in order, and an open call as it was left', () => {
    const agents = record([...killed, ...resumed]).agentExecutionSequence
    expect(agents).toMatchObject([
      { stepId: 'step-0', status: 'FINISHED', result: 'looked' },
      { stepId: 'step-1', status: 'FINISHED', currentStep: 3, endTime: '2026-03-04T12:02:30.000Z' },
      { stepId: 'step-2', status: 'FINISHED' },
    ])
    expect(agents[1].thinkActSteps).toMatchObject([
      { status: 'SUCCESS', actToolInfoList: null },
      { status: null, actEndTime: null, actToolInfoList: [{ name: 'tool cycle-0-1-1', result: null }] },
      { status: 'SUCCESS', actToolInfoList: [{ name: 'tool cycle-1-1-0', result: 'done' }] },
    ])
  })

  test('continues the numbering of its steps', () => {
    const { steps } = record([...killed, ...resumed], { format: 'trajectory' })
    expect(steps.map(({ step_idx }: { step_idx: number }) => step_idx)).toEqual([0, 1, 2, 3, 4])
  })

  test('is partial if a child that a segment counted is missing, though another segment has more', () => {
    const rows = [...killed, ...resumed].filter(({ name }) => name !== 'invoke_agent agent-1-2')
    expect(decode(rows)).toMatchObject({
      verdict: 'partial',
      missing: ['1 of 2 agent spans below "invoke_workflow plan-1"'],
    })
  })

  test('is partial if a whole segment is missing', () => {
    expect(decode(resumed)).toMatchObject({
      verdict: 'partial',
      state: 'completed',
      missing: ['1 of 2 segments of "invoke_workflow plan-1"'],
    })
  })
})

describe('a plan that is suspended', () => {
  const suspended = [
    finalRow(plan(0, { end: 40, attributes: { ...state('waiting'), [ATTR.planCompleted]: 'true' } })),
    finalRow(
      wait(0, { end: 40, attributes: { ...state('waiting'), [ATTR.waitWaiting]: 'true', [ATTR.waitTitle]: 'Ok?' } }),
    ),
  ]

  test('waits, and shows its form', () => {
    expect(decode(suspended, { now: at(1e6) })).toMatchObject({ state: 'waiting', verdict: 'complete' })
    expect(record(suspended)).toMatchObject({
      completed: false,
      endTime: null,
      userInputWaitState: { title: 'Ok?', waiting: true },
      planspan: { waits: [{ title: 'Ok?', endTime: null }] },
    })
    expect(record(suspended, { format: 'plan-act:session' }).data).toMatchObject({ status: 'waiting' })
  })

  test('has one wait from the question to the answer in a later segment', () => {
    const answered = [
      ...suspended,
      snapshotRow(plan(1, { end: 101 }), 0),
      finalRow(
        wait(1, {
          end: 100,
          attributes: { ...state('completed'), [ATTR.waitWaiting]: 'false', [ATTR.waitActor]: 'ann' },
        }),
      ),
    ]
    expect(decode(answered).state).toBe('planning')
    expect(record(answered)).toMatchObject({
      userInputWaitState: null,
      planspan: {
        waits: [
          { title: 'Ok?', actor: 'ann', startTime: '2026-03-04T12:00:30.000Z', endTime: '2026-03-04T12:01:40.000Z' },
        ],
      },
    })
  })

  test('no longer waits after it was resumed without an answer', () => {
    const going = [...suspended, snapshotRow(plan(1, { end: 101 }), 0), snapshotRow(agent(1, 0), 0)]
    expect(decode(going).state).toBe('running')
    expect(record(going)).toMatchObject({ userInputWaitState: null })
  })
})

describe('the segments of a sub-plan', () => {
  const sub = (id: string, parent: string, start: number, attributes: Record<string, string> = {}): LiveRow => ({
    id,
    role: 'plan',
    parent,
    planId: 'sub',
    rootId: 'p',
    start,
    attributes,
  })
  const scout = (above: string, start: number, stepId: string): LiveRow => ({
    id: `scout-${above}`,
    role: 'agent',
    parent: above,
    planId: 'sub',
    rootId: 'p',
    start,
    attributes: { [ATTR.stepId]: stepId, ...state('completed') },
  })
  const oldTool = tool(cycle(0, 1, 1), { end: 28, attributes: { ...state('waiting'), ...children('plan', 1) } })
  const newTool = tool(cycle(1, 1, 0), { attributes: { ...children('plan', 1) } })
  const rows = [
    ...killed.filter(({ attributes }) => attributes[ATTR.spanKind] !== 'tool'),
    ...resumed.filter(({ attributes }) => attributes[ATTR.spanKind] !== 'tool'),
    finalRow(oldTool),
    finalRow(newTool),
    finalRow(scout('sub-0', 23, 's-0')),
    finalRow(sub('sub-1', newTool.id, 122, state('completed'))),
    finalRow(scout('sub-1', 123, 's-1')),
  ]

  test('below different segments of the root are one sub-plan, below the later call', () => {
    const all = [...rows, snapshotRow(sub('sub-0', oldTool.id, 22), 0)]
    expect(decode(all)).toMatchObject({ verdict: 'complete', state: 'completed' })
    const [, second] = record(all).agentExecutionSequence
    expect(second.subPlanExecutionRecords).toMatchObject([
      {
        currentPlanId: 'sub',
        parentActToolCall: { name: 'tool cycle-1-1-0' },
        agentExecutionSequence: [{ stepId: 's-0' }, { stepId: 's-1' }],
      },
    ])
    expect(decode(all, { planId: 'sub' })).toMatchObject({ state: 'completed', verdict: 'complete' })
  })

  test('that each completed are separate sub-plans', () => {
    const all = [...rows, finalRow(sub('sub-0', oldTool.id, 22, state('completed')))]
    const [, second] = record(all).agentExecutionSequence
    expect(second.subPlanExecutionRecords).toMatchObject([
      { agentExecutionSequence: [{ stepId: 's-0' }] },
      { agentExecutionSequence: [{ stepId: 's-1' }] },
    ])
  })
})

test('two runs with the same plan id in a trace stay separate', () => {
  const rows = [
    finalRow(plan(0, { id: 'a', attributes: state('completed') })),
    finalRow(agent(0, 0, { parent: 'a' })),
    finalRow(plan(0, { id: 'b', start: 50, attributes: state('completed') })),
    finalRow(agent(0, 1, { parent: 'b', start: 51 })),
  ]
  expect(record(rows).agentExecutionSequence).toMatchObject([{ stepId: 'step-0' }])
})

test('a plan that two processes resumed at once is one plan with the agents of both', () => {
  const rows = [
    ...killed,
    ...resumed,
    snapshotRow(plan(1, { id: 'twin', parent: 'plan-0', start: 105 }), 0),
    snapshotRow(agent(1, 1, { id: 'twin-agent', parent: 'twin', start: 115 }), 0),
  ]
  expect(decode(rows).state).toBe('completed')
  expect(record(rows).agentExecutionSequence).toHaveLength(3)
})
