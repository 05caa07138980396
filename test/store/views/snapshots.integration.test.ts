import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR, OPERATIONS, PENDING, type Role } from '../../../src/semconv/index.js'
import { fillSql } from '../../../src/store/client/sql-file.js'
import { readViews } from '../../../src/store/views/views.js'
import { execute } from '../../support/clickhouse.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertSpans, type TestSpan } from '../spans.js'

let { store, fresh, index, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, index, close } = await freshStore())
})

afterAll(() => close())

interface LiveSpan {
  id: string
  role: Role
  parent?: string
  start?: number
  end?: number
  /** The sequence number of a snapshot; an ended span has no sequence number. */
  snapshot?: number
  attributes?: Record<string, string>
}

let traces = 0
const newTrace = () => String(++traces).padStart(32, '0')

/** Spans as a live plan sends them; times are milliseconds. */
async function send(traceId: string, ...spans: LiveSpan[]): Promise<void> {
  for (const { id, role, parent = '', start = 0, end = start + 100, snapshot, attributes } of spans) {
    const pending = {
      [ATTR.spanState]: PENDING,
      [ATTR.pendingSpanId]: id,
      [ATTR.pendingParentSpanId]: parent,
      [ATTR.snapshotSeq]: String(snapshot),
    }
    const span: TestSpan = {
      traceId,
      spanId: snapshot === undefined ? id : `${id}/${String(snapshot)}`,
      parentSpanId: snapshot === undefined ? parent : id,
      name: `${OPERATIONS[role]} x`,
      start,
      duration: end - start,
      attributes: {
        [ATTR.spanKind]: role,
        [ATTR.planId]: `plan-${traceId}`,
        [ATTR.planRootId]: `plan-${traceId}`,
        ...(snapshot === undefined ? {} : pending),
        ...attributes,
      },
    }
    // One insert per span, twice: the result must not depend on batches or duplicates.
    await insertSpans(store.client, fresh.database, [span])
    await insertSpans(store.client, fresh.database, [span])
  }
}

async function rows(view: string, columns: string, traceId: string): Promise<unknown[][]> {
  await index()
  const answer = await execute(
    fresh.url,
    `SELECT ${columns} FROM ${fresh.database}.${view} WHERE TraceId = '${traceId}' ORDER BY Timestamp, SpanId FORMAT JSONCompactEachRow`,
  )
  return answer
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown[])
}

describe('the views show', () => {
  test('a span once, under whatever names it is sent, and over a collector’s table as well', async () => {
    const trace = newTrace()
    const names = Array.from({ length: 100 }, (_, at) => `${OPERATIONS.llm} model-${at}`)
    const attributes = { [ATTR.spanKind]: 'llm', [ATTR.planId]: 'p', [ATTR.planRootId]: 'p' }
    const span = { traceId: trace, spanId: 'm', parentSpanId: '', start: 0, duration: 1, attributes }
    const inserted = names.map((name) => ({ ...span, name }))
    await insertSpans(store.client, fresh.database, inserted)
    await insertSpans(store.client, fresh.database, inserted.toReversed())
    expect(await rows('spans', 'SpanId', trace)).toEqual([['m']])
    expect(await rows('model_calls', 'SpanId', trace)).toEqual([['m']])
    for (const { name, sql } of readViews('plain').filter(({ name }) => ['spans', 'model_calls'].includes(name))) {
      const view = fillSql(sql, { database: fresh.database })
      expect([name, await execute(fresh.url, `SELECT SpanId FROM (${view}) WHERE TraceId = '${trace}'`)]).toEqual([
        name,
        'm\n',
      ])
    }
  })

  test('a running span as of its latest snapshot, and an ended span as of its end', async () => {
    const trace = newTrace()
    const tool = { id: 't', role: 'tool', parent: 'c', attributes: { [ATTR.toolName]: 'search' } } as const
    await send(
      trace,
      { id: 'c', role: 'plan', snapshot: 0 },
      { ...tool, snapshot: 0, end: 0 },
      { ...tool, snapshot: 10, end: 9, attributes: { [ATTR.toolName]: 'browse' } },
    )
    await send(trace, { ...tool, snapshot: 9, end: 8 })
    const columns = 'SpanId, ParentSpanId, ToolName, State, DurationMs'
    expect(await rows('tool_calls', columns, trace)).toEqual([['t', 'c', 'browse', 'running', null]])
    expect(await rows('spans', 'SpanId', trace)).toEqual([])
    await send(trace, { ...tool, end: 40 }, { ...tool, snapshot: 11, end: 39 })
    expect(await rows('tool_calls', columns, trace)).toEqual([['t', 'c', 'search', 'completed', 40]])
    expect(await rows('spans', 'SpanId, Duration', trace)).toEqual([['t', '40000000']])
  })

  test('a plan that is silent for longer than it announced, and its open spans, as interrupted', async () => {
    const trace = newTrace()
    const heartbeat = { [ATTR.heartbeatIntervalMs]: '1000' }
    await send(
      trace,
      { id: 'p', role: 'plan', snapshot: 0, attributes: { ...heartbeat, [ATTR.state]: 'running' } },
      { id: 'a', role: 'agent', parent: 'p', snapshot: 0, attributes: { [ATTR.stepIndex]: '0' } },
      { id: 'c', role: 'think_act', parent: 'a', snapshot: 0 },
      { id: 'd', role: 'think_act', parent: 'a', attributes: { [ATTR.state]: 'completed' } },
    )
    expect(await rows('plans', 'State', trace)).toEqual([['interrupted']])
    expect(await rows('agents', 'State', trace)).toEqual([['interrupted']])
    expect(await rows('think_acts', 'State', trace)).toEqual([['interrupted'], ['completed']])
    const listed = await store.reader.listPlans({ now: BigInt(Date.now()) * 1_000_000n })
    expect(listed.plans.find(({ traceId }) => traceId === trace)?.state).toBe('interrupted')
    await send(trace, { id: 'w', role: 'wait', parent: 'a', snapshot: 0 })
    expect(await rows('waits', 'State, IsOpen', trace)).toEqual([['waiting', true]])
    expect(await rows('plans', 'State', trace)).toEqual([['waiting']])
    expect(await rows('agents', 'State', trace)).toEqual([['waiting']])
  })

  test('the segments of a resumed plan as one plan, from its first start to its last end', async () => {
    const trace = newTrace()
    const waits = { [ATTR.state]: 'waiting' }
    const wait = { [ATTR.waitId]: 'w-1', [ATTR.waitReason]: 'plan_review' }
    const step = { [ATTR.stepId]: 's-0', [ATTR.stepIndex]: '0' }
    await send(
      trace,
      { id: 'p0', role: 'plan', end: 100, attributes: { ...waits, [ATTR.planTitle]: 'Trip' } },
      { id: 'a0', role: 'agent', parent: 'p0', start: 10, end: 100, attributes: { ...waits, ...step } },
      { id: 'w0', role: 'wait', parent: 'a0', start: 50, end: 100, attributes: { ...waits, ...wait } },
    )
    expect(await rows('plans', 'State, Title', trace)).toEqual([['waiting', 'Trip']])
    expect(await rows('waits', 'State, IsOpen, DurationMs', trace)).toEqual([['waiting', true, null]])
    const segment = { [ATTR.planSegment]: '1' }
    await send(
      trace,
      {
        id: 'p1',
        role: 'plan',
        parent: 'p0',
        start: 5000,
        end: 6000,
        attributes: { ...segment, [ATTR.state]: 'completed' },
      },
      {
        id: 'w1',
        role: 'wait',
        parent: 'p1',
        start: 50,
        end: 5001,
        attributes: { ...wait, [ATTR.state]: 'completed', [ATTR.waitResolution]: 'approved' },
      },
      {
        id: 'a1',
        role: 'agent',
        parent: 'p1',
        start: 5100,
        end: 5900,
        attributes: { ...step, [ATTR.state]: 'completed' },
      },
    )
    expect(await rows('plans', 'State, Title, DurationMs, Segment, StepCount, StepsCompleted', trace)).toEqual([
      ['completed', 'Trip', 6000, '1', 1, 1],
    ])
    expect(await rows('waits', 'State, IsOpen, DurationMs, Resolution', trace)).toEqual([
      ['completed', false, 4951, 'approved'],
    ])
    expect(await rows('agents', 'SpanId, State', trace)).toEqual([['a0', 'completed']])
  })

  test('the spans that a crash left open as interrupted once the plan is resumed', async () => {
    const trace = newTrace()
    await send(
      trace,
      { id: 'p0', role: 'plan', snapshot: 0, attributes: { [ATTR.state]: 'running' } },
      { id: 'a0', role: 'agent', parent: 'p0', snapshot: 0, attributes: { [ATTR.stepId]: 's-0' } },
      { id: 'w0', role: 'wait', parent: 'p0', snapshot: 0 },
      {
        id: 'p1',
        role: 'plan',
        parent: 'p0',
        start: 5000,
        snapshot: 0,
        attributes: { [ATTR.planSegment]: '1', [ATTR.state]: 'running' },
      },
    )
    expect(await rows('plans', 'State', trace)).toEqual([['running']])
    expect(await rows('agents', 'State', trace)).toEqual([['interrupted']])
    expect(await rows('waits', 'State, IsOpen', trace)).toEqual([['interrupted', false]])
  })

  test('whether an action judged unsafe was taken, stopped, or has an unknown outcome', async () => {
    const trace = newTrace()
    const unsafe = (score: string) => ({ [ATTR.riskScore]: score, [ATTR.riskIsSafe]: 'false' })
    await send(
      trace,
      { id: 'c1', role: 'think_act' },
      { id: 'g1', role: 'guardrail', parent: 'c1', attributes: unsafe('0.9') },
      { id: 'c2', role: 'think_act', start: 1 },
      { id: 'g2', role: 'guardrail', parent: 'c2', start: 1, attributes: unsafe('0.8') },
      { id: 'c3', role: 'think_act', start: 2, snapshot: 0 },
      { id: 'g3', role: 'guardrail', parent: 'c3', start: 2, attributes: unsafe('NaN') },
      {
        id: 'g4',
        role: 'guardrail',
        parent: 'c3',
        start: 3,
        attributes: { ...unsafe('0.5'), [ATTR.riskRepeated]: 'true' },
      },
    )
    await execute(
      fresh.url,
      `INSERT INTO ${fresh.database}.otel_traces (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanAttributes, Links.TraceId, Links.SpanId, Links.TraceState, Links.Attributes)
       SELECT Timestamp, TraceId, 't1', 'c1', 'execute_tool rm', map('${ATTR.spanKind}', 'tool', '${ATTR.planId}', 'plan-${trace}', '${ATTR.toolName}', 'rm'),
         [TraceId], ['g1'], [''], [map('${ATTR.linkType}', 'guards')]
       FROM ${fresh.database}.otel_traces WHERE TraceId = '${trace}' AND SpanId = 'g1' LIMIT 1`,
    )
    expect(await rows('risks', 'SpanId, Score, ActionTaken, ToolName', trace)).toEqual([
      ['g1', 0.9, true, 'rm'],
      ['g2', 0.8, false, ''],
      ['g3', null, null, ''],
    ])
  })
})

test('the totals of a plan that was imported while it ran and again after it ended, once', async () => {
  const attributes = (planId: string, digest: string, state: string) => ({
    [ATTR.spanKind]: 'plan',
    [ATTR.planId]: planId,
    [ATTR.planRootId]: planId,
    [ATTR.recordDialect]: 'trajectory',
    [ATTR.recordKey]: 'grown',
    [ATTR.recordDigest]: digest,
    [ATTR.state]: state,
  })
  const call = (spanId: string, traceId: string, start: number): TestSpan => ({
    traceId,
    spanId,
    parentSpanId: 'p',
    name: 'chat m',
    start,
    attributes: {
      [ATTR.spanKind]: 'llm',
      [ATTR.planId]: 'grown',
      [ATTR.planRootId]: 'grown',
      [ATTR.usageInputTokens]: '10',
      [ATTR.usageOutputTokens]: '1',
    },
  })
  const sums = async () => {
    await index()
    const answer = await execute(
      fresh.url,
      `SELECT count(), sum(TotalTokens), any(State), (SELECT count() FROM ${fresh.database}.model_calls WHERE PlanId = 'grown')
       FROM ${fresh.database}.plan_usage WHERE PlanId = 'grown'`,
    )
    return answer.trim()
  }
  const plan = (traceId: string, digest: string, state: string, duration: number): TestSpan => ({
    traceId,
    spanId: 'p',
    name: 'invoke_workflow',
    duration,
    attributes: attributes('grown', digest, state),
  })
  await insertSpans(store.client, fresh.database, [plan('run', 'a', 'running', 100), call('1', 'run', 10)])
  expect(await sums()).toBe('1\t11\trunning\t1')
  await insertSpans(store.client, fresh.database, [
    plan('end', 'b', 'completed', 200),
    call('1', 'end', 10),
    call('2', 'end', 20),
  ])
  expect(await sums()).toBe('1\t22\tcompleted\t2')
  await insertSpans(store.client, fresh.database, [
    plan('run', 'a', 'running', 100),
    call('1', 'run', 10),
    call('2', 'end', 20),
  ])
  expect(await sums()).toBe('1\t22\tcompleted\t2')
  expect(await execute(fresh.url, `SELECT count() FROM ${fresh.database}.spans WHERE TraceId IN ('run', 'end')`)).toBe(
    '5\n',
  )
})
