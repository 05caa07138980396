import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { costOf, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { readRows } from '../../../src/store/client/query.js'
import type { ROW_TABLES } from '../../../src/store/row-tables/index.js'
import { readViews } from '../../../src/store/views/views.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertRows as insertRowsOf } from '../insert-rows.js'
import { insertSpans, insertStoredSpans, type TestSpan } from '../spans.js'

type Values = Readonly<Record<string, unknown>>

let server: FreshStore
beforeAll(async () => {
  server = await freshStore()
})
afterAll(() => server.close())

function rows<Row = Values>(sql: string): Promise<Row[]> {
  const { client, database } = server.store
  return readRows<Row>({ client, database, url: server.fresh.url }, sql.replaceAll('@', database))
}

const insertRows = (table: keyof typeof ROW_TABLES, ...values: Values[]): Promise<void> => {
  const { client, database } = server.store
  const defaults = { Timestamp: '2026-03-04 12:00:00', Version: 1 }
  return insertRowsOf(
    client,
    database,
    table,
    values.map((one) => ({ ...defaults, ...one })),
  )
}

let traces = 0
const newTrace = (): string => String(++traces).padStart(32, '0')

const call = (traceId: string, spanId: string, role: string, fields: Partial<TestSpan> = {}): TestSpan => ({
  traceId,
  spanId,
  name: role,
  duration: 250,
  ...fields,
  attributes: { [ATTR.spanKind]: role, [ATTR.planId]: 'p', [ATTR.planRootId]: 'p', ...fields.attributes },
})

const insert = (...spans: TestSpan[]) => insertSpans(server.store.client, server.store.database, spans)

test('a row is interrupted from the time at which its next heartbeat is overdue', async () => {
  const TraceId = newTrace()
  const row = { TraceId, Role: 'agent', State: 'running' }
  await insertRows(
    'spans',
    { ...row, SpanId: 'past', InterruptedAt: '2026-03-04 13:00:00' },
    { ...row, SpanId: 'future', InterruptedAt: '2099-03-04 13:00:00' },
    { ...row, SpanId: 'never', InterruptedAt: null },
  )
  expect(await rows(`SELECT SpanId, State FROM @.agents WHERE TraceId = '${TraceId}' ORDER BY SpanId`)).toEqual([
    { SpanId: 'future', State: 'running' },
    { SpanId: 'never', State: 'running' },
    { SpanId: 'past', State: 'interrupted' },
  ])
})

test.each([
  ['think_acts', 'think_act'],
  ['tool_calls', 'tool'],
  ['model_calls', 'llm'],
])('%s match the ended spans of otel_traces and the indexed rows', async (view, role) => {
  const [trace, replaced] = [newTrace(), newTrace()]
  const { client, database } = server.store
  await insert(
    call(trace, 'own', role, { status: 'Error', statusMessage: 'no room' }),
    call(trace, 'own', role, { status: 'Error', statusMessage: 'no room' }),
    call(trace, 'decided', role),
    call(trace, 'open', role, {
      attributes: { [ATTR.spanState]: 'pending', [ATTR.pendingSpanId]: 'open', [ATTR.snapshotSeq]: '0' },
    }),
    call(replaced, 'superseded', role),
  )
  await client.insert({
    table: `${database}.superseded_imports`,
    values: [{ TraceId: replaced, Version: 1 }],
    format: 'JSONEachRow',
  })
  const row = { TraceId: trace, Role: role, PlanId: 'p', RootPlanId: 'root', Duration: '5000000' }
  await insertRows(
    'spans',
    { ...row, SpanId: 'decided', State: 'completed', Ended: true, Replaces: true, Error: 'a late error' },
    { ...row, SpanId: 'foreign', State: 'completed', Ended: true },
    { ...row, SpanId: 'open', State: 'running' },
    { ...row, SpanId: 'gone', State: 'running', Gone: 1, Version: 2 },
  )
  const columns = 'SpanId, State, RootPlanId, ErrorMessage, DurationMs'
  expect(
    await rows(`SELECT ${columns} FROM @.${view} WHERE TraceId IN ('${trace}', '${replaced}') ORDER BY SpanId`),
  ).toEqual([
    { SpanId: 'decided', State: 'completed', RootPlanId: 'root', ErrorMessage: 'a late error', DurationMs: 5 },
    { SpanId: 'foreign', State: 'completed', RootPlanId: 'root', ErrorMessage: '', DurationMs: 5 },
    { SpanId: 'open', State: 'running', RootPlanId: 'root', ErrorMessage: '', DurationMs: null },
    { SpanId: 'own', State: 'failed', RootPlanId: 'p', ErrorMessage: 'no room', DurationMs: 250 },
  ])
})

test('a model call costs what it reports, otherwise what the newest price of its model says', async () => {
  const trace = newTrace()
  const { client, database } = server.store
  await client.insert({
    table: `${database}.model_prices`,
    values: [
      { Model: 'm', InputUsdPerMillionTokens: 1, OutputUsdPerMillionTokens: 1, UpdatedAt: '2026-03-01 00:00:00' },
      {
        Model: 'm',
        InputUsdPerMillionTokens: 3,
        OutputUsdPerMillionTokens: 15,
        CacheReadUsdPerMillionTokens: 0.3,
        UpdatedAt: '2026-03-02 00:00:00',
      },
    ],
    format: 'JSONEachRow',
  })
  const tokens = { inputTokens: 12_345, outputTokens: 678, cacheReadTokens: 10_000, cacheWriteTokens: 321 }
  await insert(
    call(trace, 'priced', 'llm', {
      attributes: {
        [ATTR.responseModel]: 'm',
        [ATTR.usageInputTokens]: String(tokens.inputTokens),
        [ATTR.usageOutputTokens]: String(tokens.outputTokens),
        [ATTR.usageCacheReadTokens]: String(tokens.cacheReadTokens),
        [ATTR.usageCacheWriteTokens]: String(tokens.cacheWriteTokens),
        [ATTR.usageSource]: 'reactive_guardrail',
      },
    }),
    call(trace, 'deployed', 'llm', {
      attributes: { [ATTR.requestModel]: 'a deployment', [ATTR.responseModel]: 'm', [ATTR.usageInputTokens]: '2' },
    }),
    call(trace, 'silent', 'llm', { attributes: { [ATTR.requestModel]: 'm' } }),
    call(trace, 'stated', 'llm', { attributes: { [ATTR.requestModel]: 'm', [ATTR.usageCostUsd]: '0.25' } }),
    call(trace, 'unpriced', 'llm', { attributes: { [ATTR.requestModel]: 'n', [ATTR.usageInputTokens]: '5' } }),
  )
  await insertRows('spans', { TraceId: trace, SpanId: 'foreign', Role: 'llm', UsageRole: 'world_model' })
  const columns = 'SpanId, PricedModel, UsageRole, toInt32(TotalTokens) AS Tokens, CostUsd'
  expect(await rows(`SELECT ${columns} FROM @.model_calls WHERE TraceId = '${trace}' ORDER BY SpanId`)).toEqual([
    { SpanId: 'deployed', PricedModel: 'm', UsageRole: 'agent', Tokens: 2, CostUsd: 0.000006 },
    { SpanId: 'foreign', PricedModel: '', UsageRole: 'world_model', Tokens: null, CostUsd: null },
    {
      SpanId: 'priced',
      PricedModel: 'm',
      UsageRole: 'reactive_guardrail',
      Tokens: tokens.inputTokens + tokens.outputTokens,
      CostUsd: costOf(tokens, { input: 3, output: 15, cacheRead: 0.3 }),
    },
    { SpanId: 'silent', PricedModel: 'm', UsageRole: 'agent', Tokens: null, CostUsd: null },
    { SpanId: 'stated', PricedModel: 'm', UsageRole: 'agent', Tokens: null, CostUsd: 0.25 },
    { SpanId: 'unpriced', PricedModel: 'n', UsageRole: 'agent', Tokens: 5, CostUsd: null },
  ])
})

test('plans are the listed plans and their sub-plans, without replaced imports', async () => {
  const TraceId = newTrace()
  const row = { TraceId, Duration: '5000000', SpanAttributes: { [ATTR.planTitle]: 'Trip' }, PlanSpan: 2 }
  await insertRows(
    'plans',
    { ...row, PlanId: 'a', IsRoot: true, Listed: 2, State: 'completed', Ended: true, TotalTokens: 7, ModelCalls: 2 },
    { ...row, PlanId: 'b', Listed: 0, State: 'running', PlanSpan: 0 },
    { ...row, PlanId: 'calls alone', Listed: 1, IsRoot: true },
    { ...row, PlanId: 'replaced', Listed: 2, IsRoot: true, Superseded: true },
  )
  const columns = 'PlanId, Title, State, IsRoot, DurationMs'
  const plans = [
    { PlanId: 'a', Title: 'Trip', State: 'completed', IsRoot: true, DurationMs: 5 },
    { PlanId: 'b', Title: 'Trip', State: 'running', IsRoot: false, DurationMs: null },
  ]
  expect(await rows(`SELECT ${columns} FROM @.plans WHERE TraceId = '${TraceId}' ORDER BY PlanId`)).toEqual(plans)
  const usage = 'PlanId, Title, toInt32(ModelCalls) AS Calls, toInt32(TotalTokens) AS Tokens'
  expect(await rows(`SELECT ${usage} FROM @.plan_usage WHERE TraceId = '${TraceId}' ORDER BY PlanId`)).toEqual([
    { PlanId: 'a', Title: 'Trip', Calls: 2, Tokens: 7 },
    { PlanId: 'b', Title: 'Trip', Calls: 0, Tokens: 0 },
  ])
})

test('if a record contains no times, its durations count', async () => {
  const TraceId = newTrace()
  const synthetic = { [ATTR.timeSynthetic]: 'true' }
  await insertRows(
    'plans',
    { TraceId, PlanId: 'a', Listed: 2, Ended: true, SpanAttributes: synthetic },
    {
      TraceId,
      PlanId: 'b',
      Listed: 2,
      Ended: true,
      SpanAttributes: { ...synthetic, [ATTR.planDurationSeconds]: '3' },
    },
  )
  expect(await rows(`SELECT PlanId, DurationMs FROM @.plans WHERE TraceId = '${TraceId}' ORDER BY PlanId`)).toEqual([
    { PlanId: 'a', DurationMs: null },
    { PlanId: 'b', DurationMs: 3000 },
  ])
  await insert(
    call(TraceId, 'a', 'tool', { duration: 0, attributes: { ...synthetic, [ATTR.actionDurationSeconds]: '2' } }),
    call(TraceId, 'b', 'tool', { duration: 0, attributes: synthetic }),
  )
  expect(
    await rows(`SELECT SpanId, DurationMs FROM @.tool_calls WHERE TraceId = '${TraceId}' ORDER BY SpanId`),
  ).toEqual([
    { SpanId: 'a', DurationMs: 2000 },
    { SpanId: 'b', DurationMs: null },
  ])
})

test('a wait is open until its end, and then has no duration', async () => {
  const TraceId = newTrace()
  const row = { TraceId, Role: 'wait', Duration: '1000000' }
  await insertRows(
    'spans',
    { ...row, SpanId: 'answered', State: 'completed', Ended: true },
    { ...row, SpanId: 'left', State: 'waiting', InterruptedAt: '2026-03-04 13:00:00' },
    { ...row, SpanId: 'suspended', State: 'waiting', Ended: true },
  )
  expect(
    await rows(`SELECT SpanId, IsOpen, DurationMs FROM @.waits WHERE TraceId = '${TraceId}' ORDER BY SpanId`),
  ).toEqual([
    { SpanId: 'answered', IsOpen: false, DurationMs: 1 },
    { SpanId: 'left', IsOpen: false, DurationMs: null },
    { SpanId: 'suspended', IsOpen: true, DurationMs: null },
  ])
})

test('risks are judgments, with the outcome of each action', async () => {
  const TraceId = newTrace()
  const row = { TraceId, Role: 'guardrail', SpanAttributes: { [ATTR.riskScore]: '0.9' } }
  await insertRows(
    'spans',
    { ...row, SpanId: 'a', IsJudgement: true, Unsafe: true, Taken: true, JudgedTool: 'rm' },
    { ...row, SpanId: 'b', IsJudgement: true },
    { ...row, SpanId: 'repeated' },
  )
  const columns = 'SpanId, Score, IsUnsafe, ActionTaken, ToolName'
  expect(await rows(`SELECT ${columns} FROM @.risks WHERE TraceId = '${TraceId}' ORDER BY SpanId`)).toEqual([
    { SpanId: 'a', Score: 0.9, IsUnsafe: true, ActionTaken: true, ToolName: 'rm' },
    { SpanId: 'b', Score: 0.9, IsUnsafe: false, ActionTaken: null, ToolName: '' },
  ])
})

test('research calls are the tool calls that report a search', async () => {
  const trace = newTrace()
  await insert(
    call(trace, 'counted', 'tool', {
      attributes: { [ATTR.searchResultCount]: '0', [ATTR.toolCallArguments]: 'Oslo' },
    }),
    call(trace, 'cut', 'tool', { attributes: { [ATTR.searchDegradationMode]: 'budget' } }),
    call(trace, 'other', 'tool'),
  )
  expect(await rows(`SELECT SpanId, Query FROM @.research_calls WHERE TraceId = '${trace}' ORDER BY SpanId`)).toEqual([
    { SpanId: 'counted', Query: 'Oslo' },
    { SpanId: 'cut', Query: '' },
  ])
})

describe('over generated plans', () => {
  beforeAll(async () => {
    const plans = [...generatePlans({ plans: 60, days: 2, seed: 'views', until: Date.UTC(2026, 2, 4, 12) })]
    const spans = plans.flatMap((plan) =>
      plan.spans.map((span) => ({ ...toStoredSpan(span), serviceName: plan.service })),
    )
    await insertStoredSpans(server.store.client, server.store.database, spans)
    await server.index()
  })

  test('the usage of a root plan is the sum of all its model calls, and that of a sub-plan of its own calls', async () => {
    const sums = (plan: string) =>
      `SELECT ${plan} AS Plan, toUInt32(count()) AS Calls, ifNull(sum(TotalTokens), 0) AS Tokens, ifNull(sum(InputTokens), 0) AS Input FROM @.model_calls`
    const used =
      'SELECT PlanId AS Plan, ModelCalls AS Calls, TotalTokens AS Tokens, InputTokens AS Input FROM @.plan_usage'
    const roots = await rows(`${used} WHERE IsRoot AND ModelCalls > 0 AND PlanId LIKE 'plan-%' ORDER BY Plan`)
    expect(roots.length).toBeGreaterThan(10)
    expect(roots).toEqual(await rows(`${sums('RootPlanId')} WHERE PlanId LIKE 'plan-%' GROUP BY Plan ORDER BY Plan`))
    const subPlans = await rows(`${used} WHERE NOT IsRoot AND ModelCalls > 0 AND PlanId LIKE 'plan-%' ORDER BY Plan`)
    expect(subPlans.length).toBeGreaterThan(0)
    expect(subPlans).toEqual(
      await rows(`${sums('PlanId')} WHERE PlanId != RootPlanId AND PlanId LIKE 'plan-%' GROUP BY Plan ORDER BY Plan`),
    )
  })

  const dated = readViews().filter(({ columns }) => columns.some(({ name }) => name === 'Timestamp'))
  test.each(dated.map(({ name }) => name))('a filter on time or trace limits the data that %s reads', async (view) => {
    const indexed = async (condition: string) => {
      const explained = await rows<{ explain: string }>(
        `EXPLAIN indexes = 1 SELECT count() FROM @.${view} WHERE ${condition}`,
      )
      return explained.map(({ explain }) => explain).filter((line) => line.includes('Condition: '))
    }
    const byTime = await indexed(`Timestamp >= '2026-03-03' AND Timestamp < '2026-03-04'`)
    expect(byTime.some((line) => /Timestamp\)? in/.test(line))).toBe(true)
    const byTrace = await indexed(`TraceId = '${newTrace()}'`)
    expect(byTrace.some((line) => /TraceId in/.test(line))).toBe(true)
  })
})
