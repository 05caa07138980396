import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import type { FacetsJson, PlanJson, Problem, RecordPage, TotalsJson } from '../../../src/wire/index.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { insertStoredSpans } from '../../store/spans.js'
import * as known from '../listed-plans.js'
import type { KnownPlan } from '../listed-plans.js'
import { startTestApp, type TestApp } from '../test-app.js'

const UNTIL = Date.UTC(2026, 2, 4)
const PRICES = { 'gpt-4o': { input: 2.5, output: 10 }, 'claude-sonnet-4-5': { input: 3, output: 15 } }

let server: TestApp
/** Newest first. */
let plans: KnownPlan[]

beforeAll(async () => {
  server = await startTestApp()
  await server.store.client.insert({
    table: `${server.store.database}.model_prices`,
    values: Object.entries(PRICES).map(([Model, { input, output }]) => ({
      Model,
      InputUsdPerMillionTokens: input,
      OutputUsdPerMillionTokens: output,
    })),
    format: 'JSONEachRow',
  })
  const generated = [...generatePlans({ plans: 60, days: 2, seed: 'list', until: UNTIL })].flatMap(
    ({ service, spans }) => spans.map((span) => ({ ...toStoredSpan(span), serviceName: service })),
  )
  // A repeated row changes no result.
  for (let time = 0; time < 2; time++) await insertStoredSpans(server.store.client, server.store.database, generated)
  for (const { file } of FOREIGN_TRACES) {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const record = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url))
  await server.importRecords(record, { source: 'nightly' })
  const [lossy] = encodeRecords(Buffer.from(record.toString().replaceAll('plan-1767061562002', 'plan-lossy')))
  await server.send(lossy!.spans.toSpliced(1, 1))
  plans = await known.knownPlans(server)
}, 120_000)

afterAll(() => server.close())

const answered = async (query: string): Promise<string[]> =>
  (await known.listAll(server, `limit=25&${query}`)).map((row) => known.idOf(row))
const expected = (test: (plan: KnownPlan) => boolean): string[] =>
  plans.filter((plan) => test(plan)).map(({ row }) => known.idOf(row))

const errorTexts = ({ attributes, statusMessage, statusCode }: KnownPlan['spans'][number]): string =>
  [attributes[ATTR.errorType], attributes[ATTR.errorMessage], statusCode === 'ERROR' ? statusMessage : ''].join('\n')

const text = (plan: KnownPlan): string =>
  [
    plan.row.title,
    plan.row.request,
    ...plan.spans.map(errorTexts),
    ...plan.spans
      .filter(({ attributes }) => attributes[ATTR.spanKind] === 'plan' && attributes[ATTR.planId] === plan.row.planId)
      .map(({ attributes }) => attributes[ATTR.planSummary]),
  ]
    .join('\n')
    .toLowerCase()

/** Each filter with its condition on the records. */
const FILTERS: [string, (plan: KnownPlan) => boolean][] = [
  ['dialect=trajectory', ({ row }) => row.dialect === 'trajectory'],
  ['dialect=plan-execution', ({ row }) => row.live || row.dialect === 'plan-execution'],
  ['convention=gen_ai', ({ row }) => row.convention === 'gen_ai'],
  ['source=nightly', ({ row }) => row.source === 'nightly'],
  ['state=failed,interrupted', ({ row }) => ['failed', 'interrupted'].includes(row.state)],
  ['agent=researcher', known.hasValue(ATTR.agentName, 'researcher')],
  ['tool=web_search', known.hasValue(ATTR.toolName, 'web_search')],
  [
    'model=gpt-4o',
    known.hasSpan(({ attributes }) =>
      [attributes[ATTR.requestModel], attributes[ATTR.responseModel]].includes('gpt-4o'),
    ),
  ],
  ['error=any', ({ row }) => row.errors > 0],
  ['error=TIMEOUT', known.hasSpan((span) => errorTexts(span).toLowerCase().includes('timeout'))],
  ['errorType=TimeoutError', known.hasValue(ATTR.errorType, 'TimeoutError')],
  ['minRisk=0.5', (plan) => (known.riskOf(plan) ?? -1) >= 0.5],
  ['unsafeTaken=true', ({ row }) => row.unsafeTaken > 0],
  ['unsafeTaken=false', ({ row }) => row.unsafeTaken === 0],
  ['minTokens=20000', (plan) => known.tokensOf(plan) >= 20_000],
  ['minCostUsd=0.05', (plan) => (known.costOf(plan, PRICES) ?? -1) >= 0.05],
  ['minDuration=5m', ({ row }) => row.durationMs >= 300_000],
  ['minWait=1h', ({ row }) => row.state === 'waiting'],
  ['text=LISBON', (plan) => text(plan).includes('lisbon')],
  ['verdict=complete', ({ verdict }) => verdict === 'complete'],
  ['verdict=partial', ({ verdict }) => verdict === 'partial'],
  [
    'agent=researcher&minTokens=10000',
    (plan) => known.hasValue(ATTR.agentName, 'researcher')(plan) && known.tokensOf(plan) >= 10_000,
  ],
  [
    'since=2026-03-03&until=2026-03-03T12:00',
    ({ row }) => row.startTime >= '2026-03-03' && row.startTime < '2026-03-03T12:00',
  ],
]

describe('GET /api/records', () => {
  test('returns the values of the records', () => {
    for (const plan of plans) {
      const { row } = plan
      const { planId, tokens, risk, convention } = row
      expect({ planId, tokens, risk }).toEqual({ planId, tokens: known.tokensOf(plan), risk: known.riskOf(plan) })
      const { inputTokens, outputTokens, cacheReadTokens, failures } = row
      expect({ planId, inputTokens, outputTokens, cacheReadTokens }).toEqual({ planId, ...known.tokenKindsOf(plan) })
      if (convention === null) expect({ planId, failures }).toEqual({ planId, failures: known.failuresOf(plan) })
      const cost = known.costOf(plan, PRICES)
      if (cost === null) expect(row.costUsd).toBeNull()
      else expect(row.costUsd).toBeCloseTo(cost, 7)
      expect(row.waitingSince === null).toBe(row.state !== 'waiting')
    }
    expect(new Set(plans.map(({ row }) => row.dialect ?? row.convention ?? 'live')).size).toBeGreaterThan(8)
  })

  test('counts steps and unsafe actions as the views do', async () => {
    const { client, database } = server.store
    const rowsOf = async (query: string) =>
      (await client.query({ query: query.replaceAll('@', database), format: 'JSONEachRow' })).json<object>()
    const shown = await rowsOf(
      `SELECT TraceId, PlanId, toUInt32(StepCount) AS stepCount, toUInt32(StepsCompleted) AS stepsCompleted,
         if(CurrentStep = '', NULL, CurrentStep) AS currentStep FROM @.plans WHERE IsRoot ORDER BY TraceId, PlanId`,
    )
    const byId = (a: PlanJson, b: PlanJson): number => (known.idOf(a) < known.idOf(b) ? -1 : 1)
    const rows = plans.map(({ row }) => row).toSorted(byId)
    expect(shown).toEqual(
      rows.map(({ traceId, planId, stepCount, stepsCompleted, currentStep }) => ({
        TraceId: traceId,
        PlanId: planId,
        stepCount,
        stepsCompleted,
        currentStep,
      })),
    )
    const isInOrder = (row: PlanJson) => row.stepsCompleted <= row.stepsBegun && row.stepsBegun <= row.stepCount
    expect(rows.filter((row) => !isInOrder(row))).toEqual([])
    const steps = new Set(rows.flatMap((row) => (row.stepCount > 0 ? [row.stepsBegun / row.stepCount] : [])))
    expect(steps.size).toBeGreaterThan(2)
    const taken = await rowsOf(
      `SELECT TraceId, toUInt32(count()) AS unsafeTaken FROM @.risks WHERE NOT IsSafe AND ActionTaken GROUP BY TraceId ORDER BY TraceId`,
    )
    const reported = rows.filter(({ unsafeTaken }) => unsafeTaken > 0)
    expect(reported.map(({ traceId, unsafeTaken }) => ({ TraceId: traceId, unsafeTaken }))).toEqual(taken)
    expect(taken.length).toBeGreaterThan(0)
  })

  test.each(FILTERS)('the filter %s matches the plans whose records match', async (query, holds) => {
    const right = expected(holds)
    expect(await answered(query)).toEqual(right)
    expect([right.length > 0, right.length < plans.length]).toEqual([true, true])
  })

  test('finds, by each name in a record, the plans that have it', async () => {
    const workflows = new Set(plans.flatMap(({ row }) => (row.convention === null && row.name) || []))
    expect(workflows.size).toBeGreaterThan(2)
    for (const workflow of workflows) {
      expect(await answered(`workflow=${encodeURIComponent(workflow)}`)).toEqual(
        expected(({ row }) => row.name === workflow),
      )
    }
  })

  const KEYS = {
    start: ({ startTime }) => known.nanosOf(startTime),
    duration: ({ startTime, endTime }) => known.nanosOf(endTime) - known.nanosOf(startTime),
    tokens: ({ tokens }) => BigInt(tokens),
    cost: ({ costUsd }) => BigInt(costUsd === null ? -1 : Math.round(costUsd * 1e9)),
    risk: ({ risk }) => BigInt(risk === null ? -1 : Math.round(risk * 1e9)),
  } satisfies Record<string, (row: PlanJson) => bigint>

  const inOrder = (rows: readonly PlanJson[], sort: keyof typeof KEYS, order: 'asc' | 'desc'): string[] => {
    const keyOf = (row: PlanJson): readonly (bigint | string)[] => [
      KEYS[sort](row),
      KEYS.start(row),
      row.traceId,
      row.planId,
    ]
    const compare = (a: PlanJson, b: PlanJson): number => {
      const [left, right] = [keyOf(a), keyOf(b)]
      const at = left.findIndex((key, index) => key !== right[index])
      return at < 0 ? 0 : (left[at] ?? '') < (right[at] ?? '') ? -1 : 1
    }
    const sorted = rows.toSorted(compare)
    return (order === 'asc' ? sorted : sorted.toReversed()).map((row) => known.idOf(row))
  }

  test.each(Object.keys(KEYS).flatMap((sort) => [[sort, 'desc'] as const, [sort, 'asc'] as const]))(
    'sorts by %s %s, page by page',
    async (sort, order) => {
      const rows = plans.map(({ row }) => row)
      expect(await answered(`sort=${sort}&order=${order}`)).toEqual(inOrder(rows, sort as keyof typeof KEYS, order))
    },
  )

  test.each([
    ['limit=0', /limit: /],
    ['minRisk=high', /minRisk: "high" is not a non-negative number/],
    ['minTokens=-1', /minTokens: "-1" is not a non-negative number/],
    ['minDuration=5', /minDuration: "5" is not a duration such as 500ms, 90s, 15m, 2h or 7d/],
    ['sort=size', /sort: "size" is not one of start, duration, tokens, cost, risk/],
    ['order=up', /order: "up" is not one of desc, asc/],
    ['verdict=fine', /verdict: "fine" is not one of complete/],
    ['convention=odd', /convention: "odd" is not one of .*openinference/],
    ['risk=1', /risk is unknown here \(known: .*minRisk/],
  ])('rejects %s and lists the allowed values', async (query, reason) => {
    const response = await server.app.request(`/api/records?${query}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as Problem).detail).toMatch(reason)
  })

  test.each(['start', 'tokens'] as const)('continues paging by %s when plans are added in between', async (sort) => {
    let at = 0
    const newcomers = [...generatePlans({ plans: 6, days: 1, seed: `newcomers ${sort}`, until: UNTIL })].filter(
      ({ spans }) => spans.length > 0,
    )
    const before = inOrder(
      plans.map(({ row }) => row),
      sort,
      'desc',
    )
    const rows = await known.listAll(server, `limit=30&sort=${sort}`, async () => {
      const { spans } = newcomers[at++]!
      await server.send(spans)
      // A span that is sent again counts once.
      await server.send(spans)
    })
    expect(at).toBeGreaterThan(1)
    expect(rows.map((row) => known.idOf(row)).filter((id) => before.includes(id))).toEqual(before)
    expect(new Set(rows.map((row) => known.idOf(row))).size).toBe(rows.length)
    plans = await known.knownPlans(server)
  })

  test('rejects the cursor of another order', async () => {
    const { nextCursor } = await known.read<RecordPage>(server, '/api/records?limit=1&sort=tokens')
    const response = await server.app.request(`/api/records?limit=1&sort=cost&cursor=${nextCursor!}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as Problem).detail).toMatch(/sorted by tokens desc, not cost desc/)
  })
})

describe('GET /api/facets', () => {
  const countsOf = (
    chosen: readonly KnownPlan[],
    valuesOf: (plan: KnownPlan) => readonly (string | null | undefined)[],
  ) => {
    const counts = new Map<string, number>()
    for (const plan of chosen) {
      for (const value of new Set(valuesOf(plan)))
        if (value !== null && value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  }
  const attributesOf =
    (...keys: string[]) =>
    ({ spans }: KnownPlan) =>
      spans.flatMap(({ attributes }) => keys.map((key) => attributes[key] || undefined))

  const reached = (figure: number | null, thresholds: readonly string[]) =>
    thresholds.filter((least) => (figure ?? -1) >= Number(least))

  /** A plan's span has the name of its workflow under the key for an agent's name. */
  const agentsOf = ({ spans }: KnownPlan) =>
    spans.flatMap(({ attributes: { [ATTR.spanKind]: role, [ATTR.agentName]: name } }) =>
      role === 'plan' ? [] : name || undefined,
    )

  // Only the records determine which spans of other instrumentations are agents.
  const GENERATED = 'since=2026-03-01&until=2026-03-05'
  const isGenerated = ({ row }: KnownPlan) => row.startTime >= '2026-03-01' && row.startTime < '2026-03-05'

  test.each<[string, (plan: KnownPlan) => boolean]>([
    [GENERATED, isGenerated],
    [`state=completed&${GENERATED}`, (plan) => isGenerated(plan) && plan.row.state === 'completed'],
    ['minTokens=20000', (plan) => known.tokensOf(plan) >= 20_000],
    ['agent=nobody', () => false],
  ])('counts the plans found by %j', async (query, holds) => {
    const chosen = plans.filter((plan) => holds(plan))
    const own = (row: PlanJson) => row.convention === null
    const found = await known.read<FacetsJson>(server, `/api/facets?limit=1000&${query}`)
    const facets = Object.fromEntries(
      Object.entries(found.facets).map(([facet, counts]) => [
        facet,
        Object.fromEntries(counts.map((count) => [count.value, count.plans])),
      ]),
    )
    expect(found.plans).toBe(chosen.length)
    expect(facets).toEqual({
      state: countsOf(chosen, ({ row }) => [row.state]),
      workflow: countsOf(chosen, ({ row }) => [own(row) ? row.name : null]),
      source: countsOf(chosen, ({ row }) => [row.source]),
      dialect: countsOf(chosen, ({ row }) => [row.dialect]),
      convention: countsOf(chosen, ({ row }) => [row.convention]),
      agent: countsOf(chosen, agentsOf),
      tool: countsOf(chosen, attributesOf(ATTR.toolName)),
      model: countsOf(chosen, attributesOf(ATTR.requestModel, ATTR.responseModel)),
      error: countsOf(chosen, attributesOf(ATTR.errorType)),
      unsafe: countsOf(chosen, ({ row }) => [row.unsafeTaken > 0 ? 'true' : null]),
      risk: countsOf(chosen, ({ row }) => reached(row.risk, ['0.9', '0.7', '0.4'])),
      cost: countsOf(chosen, ({ row }) => reached(row.costUsd, ['10', '1', '0.1', '0.01'])),
      service: countsOf(chosen, ({ spans }) => spans.map(({ serviceName }) => serviceName)),
      conversation: countsOf(chosen, attributesOf(ATTR.conversationId)),
    })
  })

  test('counts the conventions of other instrumentations', async () => {
    const { facets } = await known.read<FacetsJson>(server, '/api/facets?limit=2')
    const counts = Object.entries(countsOf(plans, ({ row }) => [row.convention])).toSorted(
      ([a, x], [b, y]) => y - x || (a < b ? -1 : 1),
    )
    expect(facets.convention.map(({ value, plans: count }) => [value, count])).toEqual(counts.slice(0, 2))
  })

  test('rejects an order, and lists the parameters that it accepts', async () => {
    const response = await server.app.request('/api/facets?sort=start')
    expect(response.status).toBe(400)
    expect(((await response.json()) as Problem).detail).toMatch(/sort is unknown here \(known: state, .*limit\)/)
  })
})

describe('GET /api/totals', () => {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

  test.each(['', 'state=failed', 'agent=nobody', 'since=2026-03-03&until=2026-03-05'])(
    'sums the plans found by %j as the list shows them',
    async (query) => {
      const listed = await known.listAll(server, `limit=1000&${query}`)
      const { course, bucketMs, ...totals } = await known.read<TotalsJson>(server, `/api/totals?${query}`)
      const states = listed.map(({ state }) => state)
      const took = listed.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
      expect(totals).toMatchObject({
        plans: listed.length,
        ended: states.filter((state) => ['completed', 'failed', 'cancelled', 'interrupted'].includes(state)).length,
        completed: states.filter((state) => state === 'completed').length,
        failed: states.filter((state) => state === 'failed').length,
        tokens: sum(listed.map(({ tokens }) => tokens)),
        unsafeTaken: listed.filter(({ unsafeTaken }) => unsafeTaken > 0).length,
      })
      expect(totals.costUsd).toBeCloseTo(sum(listed.map(({ costUsd }) => costUsd ?? 0)), 6)
      if (took.length === 0) expect(totals.p95DurationMs).toBeNull()
      else expect(totals.p95DurationMs).toBeGreaterThanOrEqual(took[Math.floor(took.length * 0.9)]!)
      expect(course.length).toBeLessThanOrEqual(60)
      expect(sum(course.map(({ plans: count }) => count))).toBe(listed.length)
      for (const { start, plans: count } of course) {
        const begin = Date.parse(start)
        const within = listed.filter(
          (row) => begin <= Date.parse(row.startTime) && Date.parse(row.startTime) < begin + bucketMs,
        )
        expect([start, within.length]).toEqual([start, count])
      }
    },
  )
})
