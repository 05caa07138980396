import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { treeSpans, type TreeSpan } from '../../../src/mapping/index.js'
import { ATTR, type Role, type StoredSpan } from '../../../src/semconv/index.js'
import { branchingLife } from '../../support/branching-plan.js'
import { execute } from '../../support/clickhouse.js'
import { planLife } from '../../support/simulated-plan.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertStoredSpans } from '../spans.js'

let { store, fresh, index, close } = {} as FreshStore

beforeEach(async () => {
  ;({ store, fresh, index, close } = await freshStore())
})

afterEach(() => close())

/** Each view of spans with a state, and the columns that identify a row. */
const VIEWS: readonly { readonly view: string; readonly role: Role; readonly key: string; readonly of: KeyOf }[] = [
  { view: 'plans', role: 'plan', key: 'PlanId', of: ({ attributes }) => attributes[ATTR.planId] },
  { view: 'plannings', role: 'planning', key: 'SpanId', of: ({ spanId }) => spanId },
  { view: 'agents', role: 'agent', key: 'StepId', of: ({ attributes }) => attributes[ATTR.stepId] },
  { view: 'think_acts', role: 'think_act', key: 'SpanId', of: ({ spanId }) => spanId },
  { view: 'tool_calls', role: 'tool', key: 'SpanId', of: ({ spanId }) => spanId },
  { view: 'model_calls', role: 'llm', key: 'SpanId', of: ({ spanId }) => spanId },
  { view: 'risks', role: 'guardrail', key: 'SpanId', of: ({ spanId }) => spanId },
  { view: 'waits', role: 'wait', key: 'WaitId', of: ({ attributes }) => attributes[ATTR.waitId] },
]

type KeyOf = (span: TreeSpan) => string | undefined

/** The spans sent by some time of a plan's life, long ago or in the future, so that no plan is silent. */
const sent = fc
  .record({
    rows: fc.oneof(
      planLife.map(({ rows }) => rows),
      branchingLife,
    ),
    moment: fc.nat(),
    isAhead: fc.boolean(),
  })
  .map(({ rows, moment, isAhead }) => ({ rows: rows.slice(0, 1 + (moment % rows.length)), isAhead }))

const SIXTY_YEARS = 60n * 365n * 86_400n * 1_000_000_000n
const PLAN_IDS: ReadonlySet<string> = new Set([ATTR.planId, ATTR.planRootId, ATTR.planParentId])

/** The rows of a life, with trace and plan ids of its own. */
function asTrace({ rows, isAhead }: { readonly rows: readonly StoredSpan[]; readonly isAhead: boolean }, life: number) {
  const later = isAhead ? SIXTY_YEARS : 0n
  return rows.map((row): StoredSpan => ({
    ...row,
    traceId: traceIdOf(life),
    startTimeUnixNano: row.startTimeUnixNano + later,
    endTimeUnixNano: row.endTimeUnixNano + later,
    attributes: Object.fromEntries(
      Object.entries(row.attributes).map(([key, value]) => [key, PLAN_IDS.has(key) ? `${value}/${life}` : value]),
    ),
  }))
}

const traceIdOf = (life: number): string => `7${life.toString(16).padStart(31, '0')}`

const LIVES = 400

it('every view reports, for every span, the same state as the record, at any time of a life', async () => {
  const lives = fc.array(sent, { minLength: LIVES, maxLength: LIVES })
  await fc.assert(
    fc.asyncProperty(lives, async (sentOfLives) => {
      const traces = sentOfLives.map(asTrace)
      const rows = traces.flat()
      for (let from = 0; from < rows.length; from += 5000) {
        await insertStoredSpans(store.client, fresh.database, rows.slice(from, from + 5000))
      }
      await index()
      const reported = traces.flatMap((trace) => treeSpans(trace, { now: BigInt(Date.now()) * 1_000_000n }))
      for (const { view, role, key, of } of VIEWS) {
        const expected = reported
          .filter(({ attributes }) => attributes[ATTR.spanKind] === role)
          .map((span) => `${span.traceId} ${of(span) ?? ''} ${span.state ?? ''}`)
        expect({ view, states: await statesOf(view, key) }).toEqual({ view, states: expected.sort() })
      }
    }),
    {
      numRuns: 1,
      endOnFailure: true,
      // Hundreds of lives are too many to print.
      asyncReporter: async ({ failed, seed, errorInstance }) => {
        if (failed) throw new Error(`Of the lives of the seed ${seed}`, { cause: errorInstance })
      },
    },
  )
})

async function statesOf(view: string, key: string): Promise<string[]> {
  const sql = `SELECT concat(TraceId, ' ', ${key}, ' ', State) FROM ${fresh.database}.${view} FORMAT TSVRaw`
  const text = await execute(fresh.url, sql)
  return text.split('\n').filter(Boolean).sort()
}
