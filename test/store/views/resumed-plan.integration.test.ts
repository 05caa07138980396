import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ATTR } from '../../../src/semconv/index.js'
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
})
