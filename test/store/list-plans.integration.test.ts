import { inspect } from 'node:util'

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { createStore, type ListPlansOptions, PLAN_ORDERS, PLAN_SORTS, type Store } from '../../src/store/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { insertPlanRows, type TestPlanRow } from './plan-rows.js'
import { nanos } from './spans.js'

let fresh: FreshDatabase
let store: Store

beforeAll(async () => {
  fresh = await freshDatabase()
  store = createStore(fresh)
  await store.migrate()
  // Merges are off, so that earlier versions of rows stay.
  await store.client.command({ query: `SYSTEM STOP MERGES ${fresh.database}.plan_rows` })
})

afterEach(async () => {
  await store.client.command({ query: `TRUNCATE TABLE ${fresh.database}.plan_rows` })
})

afterAll(async () => {
  await store.close()
  await fresh.drop()
})

const NOW = nanos(1_000)

const insert = (...rows: TestPlanRow[]) => insertPlanRows(store.client, fresh.database, rows)

const list = async (options: ListPlansOptions = {}) =>
  (await store.reader.listPlans({ now: NOW, ...options })).plans.map(({ planId }) => planId)

const listAll = async (options: ListPlansOptions, limit: number): Promise<string[]> => {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.reader.listPlans({ now: NOW, ...options, limit, ...(cursor && { cursor }) })
    found.push(...page.plans.map(({ planId }) => planId))
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

describe('a filter', () => {
  const PLANS: Readonly<Record<string, Omit<TestPlanRow, 'TraceId' | 'PlanId'>>> = {
    live: { Agents: ['a', 'b'], Tools: ['t'], Models: ['m'], Services: ['s'], Conversations: ['c'] },
    silent: { State: 'running', InterruptedAt: NOW },
    running: { State: 'running', InterruptedAt: NOW + 1n },
    waiting: { State: 'waiting', WaitingSince: nanos(500) },
    given_up: { State: 'waiting', WaitingSince: nanos(500), InterruptedAt: nanos(900) },
    failed: { State: 'failed', Failures: 1, ErrorTypes: ['TimeoutError'], ErrorText: 'TimeoutError\nÄrger' },
    caught: { Errors: 1 },
    dear: { TotalTokens: 500, CostUsd: 0.5, Risk: 0.7, LastSeen: nanos(90) },
    cheap: { TotalTokens: 499, CostUsd: 0, Risk: 0.2, LastSeen: nanos(89) },
    import: { Dialect: 'plan-act:sse', Source: 'ci', RecordKey: 'k' },
    nameless: { Dialect: 'plan-act', RecordKey: 'l', Role: 'agent', Name: 'travel' },
    replaced: { Dialect: 'plan-act', RecordKey: 'l', Superseded: true },
    foreign: { Convention: 'openinference' },
    calls: { Convention: 'gen_ai', Listed: 1 },
    part: { Listed: 0 },
    trip: { Name: 'travel', ShownTitle: 'A trip to Rome', ShownRequest: 'Book it', ShownAnswer: 'Done at NOON' },
    early: { Timestamp: nanos(-60) },
    late: { Timestamp: nanos(60) },
  }
  const NAMES = Object.keys(PLANS)

  const CASES: readonly [ListPlansOptions, readonly string[]][] = [
    [{}, NAMES.filter((name) => !['replaced', 'calls', 'part'].includes(name))],
    [{ all: true }, NAMES.filter((name) => !['calls', 'part'].includes(name))],
    [{ states: ['interrupted'] }, ['silent', 'given_up']],
    [{ states: ['running', 'failed'] }, ['running', 'failed']],
    [{ waitingSince: nanos(500) }, ['waiting']],
    [{ waitingSince: nanos(499) }, []],
    [{ failed: true }, ['failed']],
    [{ errorTypes: ['TimeoutError', 'OtherError'] }, ['failed']],
    [{ errorText: 'äRGER' }, ['failed']],
    [{ minTokens: 500 }, ['dear']],
    [{ minCostUsd: 0 }, ['dear', 'cheap']],
    [{ minRisk: 0.7 }, ['dear']],
    [{ minDurationMs: 90 }, ['dear']],
    [{ agents: ['b', 'z'] }, ['live']],
    [{ tools: ['t'] }, ['live']],
    [{ models: ['m'] }, ['live']],
    [{ services: ['s'] }, ['live']],
    [{ conversations: ['c'] }, ['live']],
    [{ workflows: ['travel'] }, ['trip']],
    [{ text: 'ROME' }, ['trip']],
    [{ text: 'book' }, ['trip']],
    [{ text: 'noon' }, ['trip']],
    [{ dialect: 'plan-act' }, ['import', 'nameless']],
    [{ dialect: 'plan-act:sse' }, ['import']],
    [{ source: '' }, ['nameless']],
    [{ source: 'ci' }, ['import']],
    [{ conventions: ['openinference', 'gen_ai'] }, ['foreign']],
    [{ trace: 'trace-calls' }, ['calls']],
    [{ trace: 'trace-part' }, []],
    [{ since: nanos(60) }, ['late']],
    [{ until: nanos(0) }, ['early']],
    [{ since: -(2n ** 70n), until: 2n ** 70n, text: 'rome' }, ['trip']],
    [{ agents: ['a'], tools: ['z'] }, []],
  ]
  it.each(CASES.map(([filters, expected]) => ({ given: inspect(filters), filters, expected })))(
    '$given selects plans',
    async ({ filters, expected }) => {
      await insert(...NAMES.map((name) => ({ TraceId: `trace-${name}`, PlanId: name, ...PLANS[name] })))
      expect((await list(filters)).toSorted()).toEqual([...expected].toSorted())
      const { plans, facets } = await store.reader.countFacets({ now: NOW, ...filters })
      expect(plans).toBe(expected.length)
      expect(facets.state.reduce((sum, { plans: count }) => sum + count, 0)).toBe(expected.length)
    },
  )

  it('selects live plans and foreign ones by the dialect of live plans', async () => {
    await insert(...NAMES.map((name) => ({ TraceId: `trace-${name}`, PlanId: name, ...PLANS[name] })))
    expect(await list({ dialect: 'plan-execution' })).toEqual(
      (await list()).filter((name) => !['import', 'nameless'].includes(name)),
    )
  })
})

describe('only the current row of a plan counts', () => {
  const plan = { TraceId: 't', PlanId: 'p' }

  it('whichever row was written last', async () => {
    await insert({ ...plan, State: 'failed', Version: 2n })
    await insert({ ...plan, State: 'running', Version: 1n })
    expect(await list({ states: ['failed'] })).toEqual(['p'])
    expect(await list({ states: ['running'] })).toEqual([])
  })

  it('until the plan is removed', async () => {
    await insert({ ...plan, Version: 1n })
    await insert({ ...plan, Version: 2n, Listed: 0, Gone: 1 })
    expect(await list()).toEqual([])
    expect((await store.reader.countFacets({ now: NOW })).plans).toBe(0)
  })

  it('however many earlier versions exist', async () => {
    await insert({ TraceId: 'u', PlanId: 'q', Timestamp: nanos(-1), TotalTokens: 7 })
    for (let part = 0; part < 3; part++) {
      const versions = Array.from({ length: 20 }, (_, at) => BigInt(part * 20 + at + 1))
      await insert(...versions.map((Version) => ({ ...plan, TotalTokens: 1_000 - Number(Version), Version })))
    }
    expect(await list({ limit: 2 })).toEqual(['p', 'q'])
    expect(await list({ limit: 2, sort: 'tokens' })).toEqual(['p', 'q'])
    expect(await list({ limit: 1, minTokens: 941 })).toEqual([])
  })
})

it('pages in every order contain each plan once, in that order', async () => {
  const row = fc.record({
    start: fc.integer({ min: 0, max: 9 }),
    length: fc.integer({ min: 0, max: 5 }),
    tokens: fc.integer({ min: 0, max: 5 }),
    cost: fc.option(fc.integer({ min: 0, max: 3 })),
    risk: fc.option(fc.integer({ min: -1, max: 3 })),
    isFailed: fc.boolean(),
    isGone: fc.boolean(),
  })
  const plan = fc.array(row, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 20, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      async (plans, limit) => {
        await store.client.command({ query: `TRUNCATE TABLE ${fresh.database}.plan_rows` })
        const versions = plans.map((rows, at) =>
          rows.map((each, version): TestPlanRow => ({
            TraceId: `t${String(at % 7)}`,
            PlanId: `p${String(at)}`,
            // The start is a part of the key.
            Timestamp: nanos(rows[0]!.start),
            LastSeen: nanos(rows[0]!.start + each.length),
            TotalTokens: each.tokens,
            CostUsd: each.cost,
            Risk: each.risk,
            State: each.isFailed ? 'failed' : 'completed',
            Gone: Number(each.isGone),
            Version: BigInt(version),
          })),
        )
        for (const part of [0, 1, 2, 3]) await insert(...versions.flatMap((rows) => rows.slice(part, part + 1)))
        const current = versions.map((rows) => rows.at(-1)!).filter(({ Gone }) => Gone === 0)
        for (const sort of PLAN_SORTS) {
          const ranks = {
            start: () => 0,
            duration: ({ LastSeen, Timestamp }: TestPlanRow) => Number(LastSeen! - Timestamp!),
            tokens: ({ TotalTokens }: TestPlanRow) => TotalTokens!,
            cost: ({ CostUsd }: TestPlanRow) => CostUsd ?? -1,
            risk: ({ Risk }: TestPlanRow) => Risk ?? -2,
          }
          const keyOf = (each: TestPlanRow) => [
            ranks[sort](each),
            Number(each.Timestamp! - nanos(0)),
            each.TraceId,
            each.PlanId,
          ]
          const inOrder = current.toSorted((a, b) => compare(keyOf(a), keyOf(b)))
          for (const order of PLAN_ORDERS) {
            for (const states of [undefined, ['failed' as const]]) {
              const expected = inOrder.filter(({ State }) => !states || State === 'failed').map(({ PlanId }) => PlanId)
              const options = { sort, order, ...(states && { states }) }
              const paged = await listAll(options, limit)
              expect({ ...options, paged }).toEqual({
                ...options,
                paged: order === 'asc' ? expected : expected.toReversed(),
              })
            }
          }
        }
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
}, 120_000)

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1
}

it.each<ListPlansOptions>([
  { cursor: 'nonsense' },
  { limit: 0 },
  { limit: 1001 },
  { states: ['running', 'done' as never] },
])('rejects %j', async (options) => {
  await expect(list(options)).rejects.toMatchObject({ code: 'usage' })
})
