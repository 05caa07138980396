import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { decodeRecord } from '../../src/mapping/index.js'
import { ATTR, type State, type StoredSpan } from '../../src/semconv/index.js'
import { at } from '../support/live-rows.js'
import { planLife } from '../support/simulated-plan.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { insertStoredSpans } from './spans.js'

let { store, fresh, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, close } = await freshStore())
})

afterAll(() => close())

/** The rows of a life that have arrived: all by some time or any subset, in any order, with duplicates. */
const arrived = planLife.chain(({ rows, moments }) =>
  fc
    .oneof(
      fc.constantFrom(...moments).map(({ sent }) => rows.slice(0, sent)),
      fc.shuffledSubarray([...rows]),
    )
    .chain((part) =>
      fc.tuple(fc.shuffledSubarray([...part], { minLength: part.length }), fc.shuffledSubarray([...part])),
    )
    .map(([all, again]) => [...all, ...again]),
)

const LIVES = 100

/** The rows of a life, with plan and trace ids of its own. */
const asPlan = (rows: readonly StoredSpan[], index: number): StoredSpan[] =>
  rows.map((row) => ({
    ...row,
    traceId: index.toString(16).padStart(32, 'a'),
    attributes: { ...row.attributes, [ATTR.planId]: `plan-${index}`, [ATTR.planRootId]: `plan-${index}` },
  }))

it('the list and the record report the same state of every plan, whatever has arrived', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arrived, { minLength: LIVES, maxLength: LIVES }), fc.nat(300), async (lives, seconds) => {
      for (const table of ['otel_traces', 'plan_rows', 'span_rows']) {
        await store.client.command({ query: `TRUNCATE TABLE ${fresh.database}.${table}` })
      }
      const plans = lives.map(asPlan)
      // A batch contains rows of many plans, and a plan's rows arrive in several batches.
      for (const third of [0, 1, 2]) {
        await insertStoredSpans(
          store.client,
          fresh.database,
          plans.flatMap((rows) => rows.filter((_, index) => index % 3 === third)),
        )
      }
      const now = at(seconds)
      const listed = (await store.reader.listPlans({ now, limit: 1000 })).plans
      const expected = plans.flatMap((rows): [string, State][] => {
        const record = decodeRecord(rows, { now })
        return record ? [[record.planId, record.state]] : []
      })
      const known = new Set(expected.map(([planId]) => planId))
      const states = listed.filter(({ planId }) => known.has(planId)).map(({ planId, state }) => [planId, state])
      expect(new Map(states as [string, State][])).toEqual(new Map(expected))
      const unknown = listed.filter(({ planId }) => !known.has(planId))
      expect(unknown.every(({ state }) => ['planning', 'running'].includes(state))).toBe(true)
      const waiting = await store.reader.listPlans({ now, limit: 1000, states: ['waiting', 'interrupted'] })
      expect(waiting.plans.map(({ planId }) => planId).sort()).toEqual(
        expected.flatMap(([planId, state]) => (['waiting', 'interrupted'].includes(state) ? [planId] : [])).sort(),
      )
    }),
    {
      numRuns: 6,
      endOnFailure: true,
      // There are too many lives to print.
      asyncReporter: async ({ failed, seed, errorInstance }) => {
        if (failed) throw new Error(`With the seed ${String(seed)}`, { cause: errorInstance })
      },
    },
  )
})
