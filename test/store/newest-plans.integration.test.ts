import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { createStore, type ListPlansOptions, type PlanSummary, type Store } from '../../src/store/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { freshStore } from './fresh-store.js'
import { agentAttributes, insertSpans, nanos, planAttributes, type TestSpan } from './spans.js'

let fresh: FreshDatabase
let store: Store

/** A trace of so many plans, which may have a root that is there, be another's sub-plan, or an import's. */
const trace = fc.record({
  start: fc.integer({ min: 0, max: 40 }),
  later: fc.integer({ min: 0, max: 200 }),
  plans: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom('roots', 'tree', 'orphans', 'unheard', 'import'),
  record: fc.integer({ min: 0, max: 20 }),
  state: fc.constantFrom('completed', 'completed', 'completed', 'completed', 'failed'),
})
type Trace = typeof trace extends fc.Arbitrary<infer T> ? T : never

function spansOf({ start, later, plans, kind, record, state }: Trace, at: number): TestSpan[] {
  const traceId = `trace-${String(at)}`
  const id = (plan: number) => `${traceId}-${String(plan)}`
  const rootOf = (plan: number) =>
    kind === 'tree' || kind === 'import' ? id(0) : kind === 'orphans' ? 'away' : id(plan)
  const imported = { dialect: 'trajectory', key: `record-${String(record)}`, digest: traceId }
  return Array.from({ length: plans }, (_, plan): TestSpan[] => {
    const ids = { planId: id(plan), rootPlanId: rootOf(plan), title: `Title ${String(at % 7)}`, state }
    const fields = kind === 'import' && plan === 0 ? { ...ids, record: imported } : ids
    const own = { traceId, spanId: id(plan), start: start + plan * later, attributes: planAttributes(fields) }
    const agent = {
      traceId,
      spanId: `agent-${id(plan)}`,
      start: start + plan * later + 5,
      attributes: agentAttributes(id(plan), rootOf(plan)),
    }
    return kind === 'unheard' ? [agent] : [own, agent]
  }).flat()
}

beforeAll(async () => {
  fresh = await freshDatabase()
  store = createStore(fresh)
  await store.migrate()
  const traces = fc.sample(trace, { numRuns: 600, seed: 20 })
  const all = traces.flatMap(spansOf)
  const [early, late] = [all.filter((_, at) => at % 3 > 0), all.filter((_, at) => at % 3 === 0)]
  for (const spans of [early, late]) await insertSpans(store.client, fresh.database, spans)
  // After the last plan begins, others go on.
  const rest = traces.map((_, at) => at).filter((at) => at % 2 === 0)
  const goesOn = (at: number): TestSpan => ({
    traceId: `trace-${String(at)}`,
    spanId: `on-${String(at)}`,
    start: 60_000 + at,
    attributes: agentAttributes(`trace-${String(at)}-0`),
  })
  await insertSpans(store.client, fresh.database, rest.map(goesOn))
})
afterAll(async () => {
  await store.close()
  await fresh.drop()
})

const keysOf = (plans: readonly PlanSummary[]) => plans.map(({ traceId, planId, state }) => [traceId, planId, state])

it.each<[string, number, ListPlansOptions]>([
  ['two', 2, {}],
  ['three, of few', 3, { states: ['failed'], text: 'title 3' }],
  ['twenty, of some', 20, { states: ['failed'] }],
  ['twenty, of imports', 20, { dialect: 'trajectory', source: '' }],
  ['twenty, of every generation', 20, { dialect: 'trajectory', all: true }],
  ['thirty, of what runs', 30, { states: ['running'] }],
  ['a hundred', 100, {}],
  ['a hundred, of a time', 100, { since: 1_772_625_600_010_000_000n, until: 1_772_625_600_030_000_000n }],
])('pages of the newest plans are what all of them in their order are: %s', async (_what, limit, options) => {
  const { plans } = await store.reader.listPlans({ ...options, order: 'asc', limit: 1000 })
  const inOrder = keysOf(plans).toReversed()
  expect(inOrder.length).toBeGreaterThan(limit)
  const first = await store.reader.listPlans({ ...options, limit })
  expect(keysOf(first.plans)).toEqual(inOrder.slice(0, limit))
  const second = await store.reader.listPlans({ ...options, limit, ...(first.cursor && { cursor: first.cursor }) })
  expect(keysOf(second.plans)).toEqual(inOrder.slice(limit, 2 * limit))
})

it('finds what is rare among more plans than a query can name', async () => {
  const rare = await freshStore()
  const spans = Array.from({ length: 4_200 }, (_, at): TestSpan => {
    const planId = at.toString(16).padStart(32, '0')
    const state = at % 16 === 0 ? 'failed' : 'completed'
    return { traceId: planId, spanId: planId.slice(16), start: at, attributes: planAttributes({ planId, state }) }
  })
  await insertSpans(rare.store.client, rare.fresh.database, spans)
  const { plans } = await rare.store.reader.listPlans({ states: ['failed'], limit: 250 })
  expect(plans.map(({ startTimeUnixNano }) => startTimeUnixNano)).toEqual(
    spans
      .flatMap(({ attributes, start = 0 }) => (attributes?.[ATTR.state] === 'failed' ? [nanos(start)] : []))
      .toReversed()
      .slice(0, 250),
  )
  await rare.close()
})
