import { afterAll, beforeAll, expect, it } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { insertSpans, planAttributes, type PlanSpanFields, type TestSpan } from './spans.js'

let { store, fresh, index, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, index, close } = await freshStore())
})
afterAll(() => close())

const plan = (trace: string, fields: PlanSpanFields, parent?: string): TestSpan => ({
  traceId: trace,
  spanId: fields.planId,
  parentSpanId: parent ?? '',
  attributes: {
    ...planAttributes(fields),
    [ATTR.pendingSpanId]: fields.planId,
    [ATTR.pendingParentSpanId]: parent ?? '',
    ...(parent !== undefined && { [ATTR.planParentId]: parent }),
  },
})

/** A root plan with the given number of open plans nested in it. */
function nested(trace: string, count: number, outermost: Partial<PlanSpanFields>): TestSpan[] {
  const id = (at: number): string => `${trace}-${String(at)}`
  const below = Array.from({ length: count }, (_, at) =>
    plan(trace, { planId: id(at + 1), rootPlanId: id(0), state: 'running', snapshot: 1 }, id(at)),
  )
  return [plan(trace, { planId: id(0), ...outermost }), ...below]
}

async function statesOf(view: string, trace: string): Promise<Record<string, number>> {
  const result = await store.client.query({
    query: `SELECT State, toUInt32(count()) AS plans FROM ${fresh.database}.${view} WHERE TraceId = {trace:String} GROUP BY State`,
    query_params: { trace },
    format: 'JSONEachRow',
  })
  const rows = (await result.json()) as { State: string; plans: number }[]
  return Object.fromEntries(rows.map(({ State, plans }) => [State, plans]))
}

const FAILED = { state: 'failed' }
const RUNNING = { state: 'running', snapshot: 1 }

it.each([
  ['few', 900, FAILED, { failed: 1, interrupted: 900 }],
  ['few-open', 900, RUNNING, { running: 901 }],
  ['many', 3_000, FAILED, { failed: 1, interrupted: 3_000 }],
  ['many-open', 3_000, RUNNING, { running: 3_001 }],
])('nested plans delay no other plan, and have the state of their parents: %s', async (trace, count, root, states) => {
  await insertSpans(store.client, fresh.database, nested(trace, count, root))
  await index()
  expect(await statesOf('plans', trace)).toEqual(states)
  const { plans } = await store.reader.listPlans({ trace })
  expect(plans.map(({ planId, state }) => [planId, state])).toEqual([[`${trace}-0`, root.state]])
})

it('a trace with many root plans is listed like others', async () => {
  const spans = Array.from({ length: 5_000 }, (_, at) => plan('broad', { planId: `broad-${String(at)}`, ...FAILED }))
  await insertSpans(store.client, fresh.database, spans)
  const { plans, cursor } = await store.reader.listPlans({ trace: 'broad', limit: 1_000 })
  expect(new Set(plans.map(({ planId }) => planId)).size).toBe(1_000)
  expect(cursor).toBeDefined()
})
