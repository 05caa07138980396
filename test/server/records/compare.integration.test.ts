import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { comparePlans, planTree, setTotals, type SetMember } from '../../../src/mapping/index.js'
import { ATTR, type Span } from '../../../src/semconv/index.js'
import type { ComparisonJson, PlanJson, Problem, SetsJson } from '../../../src/wire/index.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { idOf, listAll, read } from '../listed-plans.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

const LARGE = 12_000
const LARGE_IDS = ['large-1', 'large-2'] as const

/** A plan with too many rows for the main thread; a call of the second plan differs. */
function largePlan(index: number): Span[] {
  const planId = LARGE_IDS[index] ?? ''
  const [first, ...others] = livePlan({ traceId: String(index + 1).repeat(32), planId, subPlanId: '', stepId: 's' })
  const tool = others.find(({ attributes }) => attributes[ATTR.spanKind] === 'tool')
  return [
    first!,
    ...others.slice(0, 2),
    ...Array.from({ length: LARGE }, (_, call) => ({
      ...tool!,
      spanId: (call + 100).toString(16).padStart(16, '0'),
      attributes: {
        ...tool!.attributes,
        [ATTR.seq]: String(call),
        [ATTR.toolCallArguments]: JSON.stringify({ call: call === 9000 ? `${call}-${index}` : call }),
      },
    })),
  ]
}

let server: TestApp
let plans: PlanJson[]

beforeAll(async () => {
  server = await startTestApp()
  await server.store.priceModels(
    { models: ['gpt-4o'], priceOf: () => ({ input: 2, output: 8, cacheRead: undefined, cacheWrite: undefined }) },
    { since: 0, checked: new Set() },
  )
  for (const { spans } of generatePlans({ plans: 24, days: 2, seed: 'compare', until: Date.UTC(2026, 2, 4) })) {
    await server.send(spans)
  }
  for (const { file } of FOREIGN_TRACES) {
    const headers = { 'content-type': 'application/json' }
    await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
  }
  await server.store.priceModels(
    { models: [], priceOf: () => ({ input: 2, output: 8, cacheRead: undefined, cacheWrite: undefined }) },
    { since: 0, checked: new Set() },
  )
  plans = await listAll(server, 'limit=1000')
  for (const index of [0, 1]) await server.send(largePlan(index))
}, 120_000)

afterAll(() => server.close())

const compare = (asked: readonly PlanJson[], more = ''): Promise<ComparisonJson> => {
  const ids = asked.map(({ planId, traceId }) => `id=${encodeURIComponent(planId)}&trace=${traceId}`)
  return read(server, `/api/compare?${ids.join('&')}${more}`)
}

describe('GET /api/compare', () => {
  test('reports every plan as equal to itself, with the values of the list', async () => {
    const dialects = new Set(plans.map(({ dialect, convention }) => dialect ?? convention ?? 'live'))
    expect(dialects.size).toBeGreaterThan(10)
    expect(plans.filter(({ costUsd }) => (costUsd ?? 0) > 0).length).toBeGreaterThan(5)
    for (const plan of plans) {
      const { plans: reported, comparisons } = await compare([plan, plan])
      expect(comparisons).toMatchObject([{ isSame: true, rowCount: 1, nextFrom: null, firstDivergence: null }])
      const [{ traceId, dialect, state, failures, tokens, costUsd, risk } = {} as never] = reported
      expect([plan.planId, { traceId, dialect, state, failures, tokens: tokens ?? 0, risk }]).toEqual([
        plan.planId,
        {
          traceId: plan.traceId,
          dialect: plan.dialect,
          state: plan.state,
          failures: plan.failures,
          tokens: plan.tokens,
          // The list does not report risks of other instrumentations’ guardrails.
          risk: plan.convention === null ? plan.risk : risk,
        },
      ])
      if (plan.costUsd === null) expect(costUsd).toBeNull()
      else expect(costUsd).toBeCloseTo(plan.costUsd, 6)
    }
  }, 120_000)

  test('compares a plan with each of the others', async () => {
    const [base, ...others] = plans.slice(0, 5)
    const { plans: reported, comparisons } = await compare([base!, ...others])
    expect(reported.map(({ id }) => id)).toEqual(plans.slice(0, 5).map(({ planId }) => planId))
    for (const [index, other] of others.entries()) {
      const alone = await compare([base!, other])
      expect(comparisons[index]).toEqual({ ...alone.comparisons[0], other: index + 1 })
      expect(comparisons[index]?.firstDivergence?.path).toMatch(/./)
    }
  })

  test('returns for each pair the same result as whole rows, however long the texts are', async () => {
    const now = BigInt(Date.now()) * 1_000_000n
    const own = plans.filter(({ convention, dialect }) => convention === null && dialect !== 'plan-execution')
    for (const [index, base] of own.entries()) {
      const other = own[index + 1] ?? own[0]!
      const trees = await Promise.all(
        [base, other].map(async ({ planId, traceId }) => {
          return planTree(await server.store.reader.readTrace(traceId), { planId, now })!
        }),
      )
      const reported = await compare([base, other], '&limit=1000')
      const withoutCosts = JSON.stringify(reported.comparisons, (key, value: unknown) =>
        key === 'costUsd' ? null : value,
      )
      const [expected] = comparePlans(trees)
      expect(JSON.parse(withoutCosts)).toEqual([{ other: 1, ...expected, nextFrom: null }])
    }
  }, 120_000)

  test('compares large plans like small ones, and responds in chunks', async () => {
    const asked = `/api/compare?id=${LARGE_IDS.join('&id=')}`
    const trees = await Promise.all(
      ['1', '2'].map(async (digit) => planTree(await server.store.reader.readTrace(digit.repeat(32)))!),
    )
    const [expected] = comparePlans(trees)
    const whole = await read<ComparisonJson>(server, asked)
    expect(whole.comparisons).toEqual([{ other: 1, ...expected, nextFrom: null }])
    expect(expected).toMatchObject({
      isSame: false,
      counts: { same: LARGE + 2, changed: 1 },
      firstDivergence: { base: 'called delegate with {"call":"9000-0"}, completed' },
      rowCount: 6,
    })
    const part = await read<ComparisonJson>(server, `${asked}&from=1&limit=2`)
    expect(part.comparisons).toEqual([{ other: 1, ...expected, rows: expected!.rows.slice(1, 3), nextFrom: 3 }])
  }, 60_000)

  test('returns 304 to a client with the current ETag', async () => {
    const url = `/api/compare?id=${LARGE_IDS[0]}&id=${LARGE_IDS[0]}`
    const first = await server.app.request(url)
    const known = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await server.app.request(url, { headers: known })).status).toBe(304)
    const other = await server.app.request(`/api/compare?id=${LARGE_IDS.join('&id=')}`, { headers: known })
    expect(other.status).toBe(200)
  })

  test.each([
    ['id=large-1', 400, /at least two plans/],
    ['', 400, /at least two plans/],
    [Array.from({ length: 9 }, () => 'id=large-1').join('&'), 400, /id: /],
    ['id=large-1&id=large-2&limit=0', 400, /limit: /],
    ['id=large-1&id=large-2&rows=2', 400, /rows is unknown here/],
    ['id=large-1&id=large-2&from=1&from=2', 400, /from is given more than once/],
    ['id=large-1&id=none', 404, /No plan and no step "none"/],
    [`id=large-1&id=large-2&trace=&trace=${'1'.repeat(32)}`, 404, /"large-2" in the trace/],
  ])('rejects %j with a reason', async (query, status, said) => {
    const response = await server.app.request(`/api/compare?${query}`)
    expect(response.status).toBe(status)
    expect(((await response.json()) as Problem).detail).toMatch(said)
  })
})

describe('GET /api/compare/sets', () => {
  const SETS = ['', 'dialect=trajectory', 'state=completed', 'dialect=plan-act&state=completed,failed', 'agent=nobody']
  const ask = (sets: readonly string[]) =>
    read<SetsJson>(server, `/api/compare/sets?${sets.map((set) => `set=${encodeURIComponent(set)}`).join('&')}`)

  test('sums up each set over its plans, each counted separately', async () => {
    const { sets } = await ask(SETS)
    expect(sets.map(({ set }) => set)).toEqual(SETS)
    expect(sets[1]).toMatchObject({
      isWhole: true,
      plans: plans.filter(({ dialect }) => dialect === 'trajectory').length,
    })
    expect(sets[0]?.unsafe.count).toBeGreaterThan(2)
    expect(sets[4]).toMatchObject({ plans: 0, states: {}, tokens: null, success: { of: 0, succeeded: 0 } })
    const members = new Map<string, SetMember>()
    for (const row of await listAll(server, 'limit=1000')) {
      const { plans: both } = await compare([row, row], '&limit=1')
      // A list shows 0 tokens where none are reported, and its own duration.
      const { tokens, risk, costUsd, durationMs } = row
      members.set(idOf(row), { ...both[0]!, tokens: tokens || null, risk, costUsd, durationMs })
    }
    for (const [index, reported] of sets.entries()) {
      const rows = await listAll(server, `limit=1000&${SETS[index] ?? ''}`)
      expect(reported).toEqual({
        set: reported.set,
        isWhole: true,
        ...setTotals(rows.map((row) => members.get(idOf(row))!)),
      })
    }
  }, 120_000)

  test.each([
    ['', /at least one set/],
    ['set=colour%3Dred', /colour is unknown here/],
    ['set=state%3Dodd', /"odd" is not one of/],
    ['set=agent%3Da%26agent%3Db', /a set gives agent more than once/],
  ])('rejects %j with a reason', async (query, said) => {
    const response = await server.app.request(`/api/compare/sets?${query}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as Problem).detail).toMatch(said)
  })
})
