import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ATTR, PENDING } from '../../../src/semconv/index.js'
import { execute } from '../../support/clickhouse.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertSpans, planAttributes, type TestSpan } from '../spans.js'

let { store, fresh, close } = {} as FreshStore

beforeEach(async () => {
  ;({ store, fresh, close } = await freshStore())
})

afterEach(() => close())

const rows = async (sql: string): Promise<unknown[]> => {
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

describe('a plan that was resumed', () => {
  it('is one row, wherever it went on, and keeps what its later segment does not repeat', async () => {
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

  it('has a sub-plan that went on with it: the one that began last counts', async () => {
    const subPlan = (number: number, span: Partial<TestSpan>, attributes: Record<string, string>): TestSpan => ({
      traceId: 'a'.repeat(32),
      spanId: `b${number}`.repeat(8),
      name: 'invoke_workflow sub',
      ...span,
      attributes: { ...planAttributes({ planId: 'sub', rootPlanId: 'p' }), [ATTR.planParentId]: 'p', ...attributes },
    })
    await insertSpans(store.client, fresh.database, [
      segment(0, { start: 0, duration: 50 }, { [ATTR.state]: 'interrupted' }),
      subPlan(0, { start: 10, duration: 40 }, { [ATTR.state]: 'interrupted' }),
      segment(1, { start: 100, duration: 10 }, { [ATTR.state]: 'running', ...snapshot }),
      subPlan(1, { start: 110, duration: 5 }, { [ATTR.state]: 'running', ...snapshot }),
    ])
    expect(await rows('SELECT PlanId, State FROM @.plans ORDER BY PlanId')).toEqual([
      { PlanId: 'p', State: 'running' },
      { PlanId: 'sub', State: 'running' },
    ])
  })
})

describe('a plan id that runs twice in one trace', () => {
  it('is one row in every view of plans, as its last run tells, and its tokens count once', async () => {
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
