import { afterAll, beforeAll, expect, it } from 'vitest'

import { generatePlans } from '../../src/generate/index.js'
import { toStoredSpan } from '../../src/mapping/index.js'
import { ATTR } from '../../src/semconv/index.js'
import type { ListPlansOptions, PlanSummary } from '../../src/store/index.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { insertStoredSpans } from './spans.js'

let { store, fresh, close } = {} as FreshStore

const UNTIL = Date.UTC(2026, 2, 4)

beforeAll(async () => {
  ;({ store, fresh, close } = await freshStore())
  const plans = [...generatePlans({ plans: 150, days: 2, seed: 'page', until: UNTIL })]
  const spans = plans.flatMap(({ spans }) => spans.map(toStoredSpan))
  await insertStoredSpans(store.client, fresh.database, spans)
  // A part comes twice.
  await insertStoredSpans(
    store.client,
    fresh.database,
    spans.filter((_, index) => index % 3 === 0),
  )
  const models = new Set(spans.flatMap(({ attributes }) => attributes[ATTR.requestModel] ?? []))
  await store.client.insert({
    table: `${fresh.database}.model_prices`,
    values: [...models].slice(1).map((Model, index) => ({
      Model,
      InputUsdPerMillionTokens: 1 + index,
      OutputUsdPerMillionTokens: 3 + index,
      CacheReadUsdPerMillionTokens: index % 2 === 0 ? 0.5 : null,
      CacheWriteUsdPerMillionTokens: null,
    })),
    format: 'JSONEachRow',
  })
})

afterAll(() => close())

const list = async (options: ListPlansOptions = {}): Promise<readonly PlanSummary[]> => {
  const { plans } = await store.reader.listPlans({ limit: 1000, now: BigInt(UNTIL) * 1_000_000n, ...options })
  return plans.map((plan) => ({ ...plan, cursor: '' }))
}

it('tells of the newest plans what it tells of them in any other order', async () => {
  const newest = await list()
  expect(newest.length).toBeGreaterThan(100)
  expect(newest).toEqual((await list({ order: 'asc' })).toReversed())
})

it('tells of plans what the views tell', async () => {
  const query = `
    SELECT plan.TraceId AS traceId, plan.PlanId AS planId, StepCount, StepsCompleted, substringUTF8(CurrentStep, 1, 500) AS CurrentStep,
      InputTokens, OutputTokens, TotalTokens, CacheReadTokens, round(CostUsd, 7) AS Cost, Risk, UnsafeTaken
    FROM ${fresh.database}.plans AS plan
    INNER JOIN ${fresh.database}.plan_usage AS usage ON usage.TraceId = plan.TraceId AND usage.PlanId = plan.PlanId
    LEFT JOIN (
      SELECT TraceId, max(Score) AS Risk, countIf(NOT ifNull(IsSafe, true) AND ifNull(ActionTaken, false)) AS UnsafeTaken
      FROM ${fresh.database}.risks
      GROUP BY TraceId
    ) AS risk ON risk.TraceId = plan.TraceId
    WHERE plan.IsRoot`
  const rows = await (await store.client.query({ query, format: 'JSONEachRow' })).json<Record<string, unknown>>()
  const told = rows.map(({ CurrentStep, Cost, Risk, ...row }) => ({
    ...Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, name.endsWith('Id') ? value : Number(value)]),
    ),
    CurrentStep,
    Cost,
    Risk,
  }))
  const expected = (await list()).flatMap((plan) => (plan.role === 'plan' ? [asViewed(plan)] : []))
  expect(told.map(sortable).toSorted()).toEqual(expected.map(sortable).toSorted())
  for (const field of ['Cost', 'Risk', 'UnsafeTaken', 'CurrentStep'] as const) {
    expect(expected.some((plan) => Boolean(plan[field]))).toBe(true)
  }
})

const asViewed = (plan: PlanSummary) => ({
  traceId: plan.traceId,
  planId: plan.planId,
  StepCount: plan.stepCount,
  StepsCompleted: plan.stepsCompleted,
  InputTokens: plan.inputTokens,
  OutputTokens: plan.outputTokens,
  TotalTokens: plan.tokens,
  CacheReadTokens: plan.cacheReadTokens,
  UnsafeTaken: plan.unsafeTaken,
  CurrentStep: plan.currentStep,
  Cost: plan.costUsd === undefined ? null : Number(plan.costUsd.toFixed(7)),
  Risk: plan.risk ?? null,
})

const sortable = (row: object): string => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
