import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ATTR, OPERATIONS, PENDING } from '../../../src/semconv/index.js'
import { execute } from '../../support/clickhouse.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { agentAttributes, insertSpans, planAttributes, type TestSpan } from '../spans.js'

let { store, fresh, index, close } = {} as FreshStore

beforeEach(async () => {
  ;({ store, fresh, index, close } = await freshStore())
})

afterEach(() => close())

const rows = async (sql: string): Promise<unknown[]> => {
  await index()
  const text = await execute(fresh.url, `${sql.replaceAll('@', fresh.database)} FORMAT JSONEachRow`)
  return text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)
}

const segment = (number: number, span: Partial<TestSpan>, attributes: Record<string, string>): TestSpan => ({
  traceId: 'a'.repeat(32),
  spanId: `${number}`.repeat(16),
  name: 'invoke_workflow trip',
  ...span,
  attributes: {
    ...planAttributes({ planId: 'p', ...(number > 0 ? { segment: number } : {}), state: 'completed' }),
    ...attributes,
  },
})

const snapshot = { [ATTR.spanState]: PENDING, [ATTR.snapshotSeq]: '0' }

describe('a resumed plan', () => {
  it('is one row, wherever it resumed, and keeps the values that its later segment does not repeat', async () => {
    await insertSpans(store.client, fresh.database, [
      segment(
        0,
        { service: 'first', start: 0, duration: 10 },
        {
          [ATTR.planTitle]: 'A trip',
          [ATTR.planSteps]: '["Plan","Go"]',
          [ATTR.planCurrentStepIndex]: '0',
          [ATTR.state]: 'waiting',
        },
      ),
      segment(1, { service: 'second', start: 100, duration: 10 }, { [ATTR.planCurrentStepIndex]: '1' }),
    ])
    expect(
      await rows(
        'SELECT PlanId, ServiceName, Title, Steps, toInt32(CurrentStepIndex) AS CurrentStepIndex, State, toInt32(StepCount) AS StepCount, CurrentStep, DurationMs FROM @.plans',
      ),
    ).toEqual([
      {
        PlanId: 'p',
        ServiceName: 'second',
        Title: 'A trip',
        Steps: ['Plan', 'Go'],
        CurrentStepIndex: 1,
        State: 'completed',
        StepCount: 2,
        CurrentStep: 'Go',
        DurationMs: 110,
      },
    ])
    expect(await rows('SELECT Title FROM @.steps ORDER BY StepIndex')).toEqual([{ Title: 'Plan' }, { Title: 'Go' }])
  })

  const DAY = 86_400_000
  const onDay = (day: number) =>
    `Timestamp >= '2026-03-${String(4 + day).padStart(2, '0')}' AND Timestamp < '2026-03-${String(5 + day).padStart(2, '0')}'`
  const inserts = async (...spans: TestSpan[]): Promise<void> => {
    for (const span of spans) await insertSpans(store.client, fresh.database, [span])
  }
  const subPlan = (number: number, span: Partial<TestSpan>, attributes: Record<string, string>): TestSpan => ({
    traceId: 'a'.repeat(32),
    spanId: `b${number}`.repeat(8),
    parentSpanId: `${number}`.repeat(16),
    name: 'invoke_workflow sub',
    ...span,
    attributes: {
      ...planAttributes({ planId: 'sub', rootPlanId: 'p' }),
      [ATTR.planParentId]: 'p',
      [ATTR.pendingSpanId]: `d${number}`.repeat(8),
      [ATTR.pendingParentSpanId]: `${number}`.repeat(16),
      ...attributes,
    },
  })

  it('has the day of its first segment, in any order of arrival, and the values of the later segments', async () => {
    await inserts(
      segment(2, { start: 2 * DAY, duration: 10 }, { [ATTR.planCurrentStepIndex]: '2' }),
      segment(1, { start: DAY, duration: 10 }, { [ATTR.planTitle]: 'A longer trip', [ATTR.state]: 'waiting' }),
      segment(0, { start: 0, duration: 10 }, { [ATTR.planTitle]: 'A trip', [ATTR.state]: 'waiting' }),
    )
    const plan = { Title: 'A longer trip', Step: 2, State: 'completed', DurationMs: 2 * DAY + 10 }
    const columns = 'Title, toInt32(CurrentStepIndex) AS Step, State, DurationMs'
    expect(await rows(`SELECT ${columns} FROM @.plans WHERE ${onDay(0)}`)).toEqual([plan])
    expect(await rows(`SELECT ${columns} FROM @.plans`)).toEqual([plan])
  })

  it('is one row if its first segment has not arrived', async () => {
    await inserts(
      segment(1, { start: DAY, duration: 10 }, { [ATTR.state]: 'waiting' }),
      segment(2, { start: 2 * DAY, duration: 10 }, {}),
    )
    const plan = { PlanId: 'p', State: 'completed', DurationMs: DAY + 10 }
    expect(await rows(`SELECT PlanId, State, DurationMs FROM @.plans WHERE ${onDay(1)}`)).toEqual([plan])
    expect(await rows(`SELECT PlanId, State, DurationMs FROM @.plans`)).toEqual([plan])
  })

  it('is one row if its first segment has expired', async () => {
    await inserts(
      segment(0, { start: 0, duration: 10 }, { [ATTR.state]: 'waiting' }),
      segment(1, { start: DAY, duration: 10 }, {}),
    )
    await execute(fresh.url, `ALTER TABLE ${fresh.database}.otel_traces DROP PARTITION '2026-03-04'`)
    expect(await rows(`SELECT PlanId, State FROM @.plans WHERE ${onDay(1)}`)).toEqual([
      { PlanId: 'p', State: 'completed' },
    ])
  })

  it('does not repeat the reviews of an earlier segment, and reports when each began', async () => {
    const log = (...attempts: number[]) => ({
      [ATTR.reviewLog]: JSON.stringify(attempts.map((attempt) => ({ attempt, action: 'ACCEPT_PLAN' }))),
    })
    await inserts(
      segment(1, { start: DAY, duration: 10 }, log(1, 2)),
      segment(0, { start: 0, duration: 10 }, { ...log(1), [ATTR.state]: 'waiting' }),
    )
    const reviews = 'SELECT toInt32(Attempt) AS Attempt FROM @.reviews'
    const both = [{ Attempt: 1 }, { Attempt: 2 }]
    expect(await rows(`${reviews} WHERE ${onDay(0)} ORDER BY Attempt`)).toEqual(both)
    expect(await rows(`${reviews} ORDER BY Attempt`)).toEqual(both)
  })

  it('resumes the agent that worked on a step, and a wait', async () => {
    const below = (
      role: 'agent' | 'wait',
      number: number,
      span: Partial<TestSpan>,
      attributes: Record<string, string>,
    ): TestSpan => ({
      traceId: 'a'.repeat(32),
      spanId: `${role === 'wait' ? 'd' : 'c'}${number}`.repeat(8),
      parentSpanId: `${number}`.repeat(16),
      name: role === 'wait' ? OPERATIONS.wait : 'invoke_agent cook',
      ...span,
      attributes: { [ATTR.spanKind]: role, [ATTR.planId]: 'p', [ATTR.planRootId]: 'p', ...attributes },
    })
    const atWork = { [ATTR.stepId]: 's0', [ATTR.stepIndex]: '0' }
    await inserts(
      below('agent', 1, { start: DAY, duration: 5 }, { ...atWork, [ATTR.state]: 'completed' }),
      below('wait', 1, { start: 5, duration: DAY }, { [ATTR.waitId]: 'w', [ATTR.state]: 'completed' }),
      segment(1, { start: DAY, duration: 10 }, {}),
      below('wait', 0, { start: 5, duration: 5 }, { [ATTR.waitId]: 'w', [ATTR.state]: 'waiting' }),
      below('agent', 0, { start: 1, duration: 9 }, { ...atWork, [ATTR.state]: 'waiting' }),
      segment(0, { start: 0, duration: 10 }, { [ATTR.state]: 'waiting' }),
    )
    const agent = { SpanId: 'c0'.repeat(8), State: 'completed' }
    expect(await rows('SELECT SpanId, State FROM @.agents')).toEqual([agent])
    expect(await rows(`SELECT SpanId, State FROM @.agents WHERE ${onDay(0)}`)).toEqual([agent])
    const wait = { SpanId: 'd0'.repeat(8), IsOpen: false, DurationMs: DAY }
    expect(await rows(`SELECT SpanId, IsOpen, DurationMs FROM @.waits WHERE ${onDay(0)}`)).toEqual([wait])
  })

  it('has a sub-plan that resumed with it: the latest segment counts', async () => {
    await insertSpans(store.client, fresh.database, [
      segment(0, { start: 0, duration: 50 }, { [ATTR.state]: 'interrupted' }),
      subPlan(0, { start: 10, duration: 40 }, { [ATTR.state]: 'interrupted' }),
      segment(
        1,
        { spanId: 'e'.repeat(16), start: DAY, duration: 10 },
        { [ATTR.state]: 'running', ...snapshot, [ATTR.pendingSpanId]: '1'.repeat(16) },
      ),
      subPlan(1, { start: DAY + 10, duration: 5 }, { [ATTR.state]: 'running', ...snapshot }),
    ])
    const states = [
      { PlanId: 'p', State: 'running' },
      { PlanId: 'sub', State: 'running' },
    ]
    expect(await rows('SELECT PlanId, State FROM @.plans ORDER BY PlanId')).toEqual(states)
    expect(await rows(`SELECT PlanId, State FROM @.plans WHERE ${onDay(0)} ORDER BY PlanId`)).toEqual(states)
  })
})

describe('an agent that a later segment resumes', () => {
  const traceId = 'a'.repeat(32)
  const agent = (spanId: string, start: number, attributes: Record<string, string>): TestSpan => ({
    traceId,
    spanId,
    parentSpanId: '0'.repeat(16),
    name: 'invoke_agent guide',
    start,
    duration: 5,
    attributes: { ...agentAttributes('p'), [ATTR.stepIndex]: '0', ...attributes },
  })

  it.each([
    ['waits for what was asked before and heard of since', 99, 'waiting'],
    ['does not wait for what was not heard of since', 3, 'running'],
  ])('%s', async (_, duration, state) => {
    await insertSpans(store.client, fresh.database, [
      segment(0, { start: 0, duration: 10 }, { [ATTR.state]: 'waiting' }),
      agent('b'.repeat(16), 1, { [ATTR.state]: 'waiting' }),
      segment(
        1,
        { spanId: 'c'.repeat(16), start: 100 },
        { ...snapshot, [ATTR.pendingSpanId]: '1'.repeat(16), [ATTR.state]: '' },
      ),
      agent('d'.repeat(16), 110, {
        ...snapshot,
        [ATTR.pendingSpanId]: 'e'.repeat(16),
        [ATTR.pendingParentSpanId]: '1'.repeat(16),
      }),
      {
        traceId,
        spanId: 'f'.repeat(16),
        name: 'wait_for_user',
        start: 2,
        duration,
        attributes: {
          [ATTR.spanKind]: 'wait',
          [ATTR.planId]: 'p',
          [ATTR.planRootId]: 'p',
          [ATTR.waitId]: 'w',
          [ATTR.waitWaiting]: 'true',
          ...snapshot,
          [ATTR.pendingSpanId]: '9'.repeat(16),
          [ATTR.pendingParentSpanId]: 'b'.repeat(16),
        },
      },
    ])
    expect(await rows('SELECT SpanId, State FROM @.agents')).toEqual([{ SpanId: 'b'.repeat(16), State: state }])
  })
})

describe('a plan id that runs twice in one trace', () => {
  it('is one row in every view of plans, with the values of its last run, and its tokens count once', async () => {
    const run = (number: number, start: number, attributes: Record<string, string>): TestSpan[] => [
      {
        traceId: 'a'.repeat(32),
        spanId: `${number}`.repeat(16),
        name: 'invoke_workflow trip',
        start,
        duration: 50,
        attributes: {
          ...planAttributes({ planId: 'p', state: 'completed' }),
          [ATTR.planSteps]: '["Plan","Go"]',
          ...attributes,
        },
      },
      {
        traceId: 'a'.repeat(32),
        spanId: `c${number}`.repeat(8),
        parentSpanId: `${number}`.repeat(16),
        name: 'chat m',
        start: start + 10,
        attributes: {
          [ATTR.spanKind]: 'llm',
          [ATTR.planId]: 'p',
          [ATTR.planRootId]: 'p',
          [ATTR.usageInputTokens]: '100',
          [ATTR.usageOutputTokens]: '10',
        },
      },
    ]
    await insertSpans(store.client, fresh.database, [
      ...run(1, 0, { [ATTR.planTitle]: 'first' }),
      ...run(2, 1000, { [ATTR.planTitle]: 'second' }),
    ])
    expect(await rows('SELECT PlanId, Title FROM @.plans')).toEqual([{ PlanId: 'p', Title: 'second' }])
    expect(
      await rows('SELECT toInt32(count()) AS Rows, toInt32(sum(TotalTokens)) AS Tokens FROM @.plan_usage'),
    ).toEqual([{ Rows: 1, Tokens: 220 }])
    expect(await rows('SELECT Title FROM @.steps ORDER BY StepIndex')).toEqual([{ Title: 'Plan' }, { Title: 'Go' }])
  })
})
