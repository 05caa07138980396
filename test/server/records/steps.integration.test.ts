import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import {
  type OutlineJson,
  outlineSchema,
  type SpanList,
  type StepsJson,
  stepsSchema,
  type StructureJson,
} from '../../../src/wire/index.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { resumedLife, wholeLife } from '../../support/plan-life.js'
import { listAll, read } from '../listed-plans.js'
import { startTestApp, type TestApp } from '../test-app.js'

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
  for (const { spans } of generatePlans({ plans: 60, days: 2, seed: 'steps', until: Date.UTC(2026, 2, 4) })) {
    await server.send(spans)
  }
  for (const { file } of FOREIGN_TRACES) {
    const headers = { 'content-type': 'application/json' }
    await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
  }
  await server.send(wholeLife({ traceId: 'a'.repeat(32), planId: 'plan-whole' }).rows)
  await server.send(wholeLife({ traceId: 'b'.repeat(32), planId: 'plan-half' }).rows.slice(0, 9))
  await server.send(resumedLife({ traceId: 'c'.repeat(32), planId: 'plan-resumed' }).rows)
}, 120_000)
afterAll(() => server.close())

/** A row of the view `steps`. */
interface StepRow {
  readonly TraceId: string
  readonly PlanId: string
  readonly StepIndex: number
  readonly StepId: string
  readonly Title: string
  readonly State: string
  readonly Attempts: number
}

const keyOf = ({ TraceId, PlanId, StepIndex }: StepRow): string =>
  `${TraceId} ${PlanId} ${String(StepIndex).padStart(3)}`
const inOrder = (rows: readonly StepRow[]): StepRow[] => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))

async function viewRows(): Promise<StepRow[]> {
  const query = `SELECT TraceId, PlanId, StepIndex, StepId, Title, State, Attempts FROM ${server.store.database}.steps`
  return inOrder(await (await server.store.client.query({ query, format: 'JSONEachRow' })).json<StepRow>())
}

const stepsAt = async (planId: string, traceId: string): Promise<StepsJson> =>
  stepsSchema.parse(await read<StepsJson>(server, `/api/records/${encodeURIComponent(planId)}/steps?trace=${traceId}`))

describe('the steps of a plan', () => {
  test('match the rows of the view, for the plans of all systems', async () => {
    const plans = await listAll(server, 'limit=1000')
    expect(plans.length).toBeGreaterThan(60 + FOREIGN_TRACES.length / 2)
    const seen = { steps: 0, versions: 0, reviews: 0, waits: 0, others: 0 }
    const rows: StepRow[] = []
    for (const { planId, traceId } of plans) {
      for (const plan of (await stepsAt(planId, traceId)).plans) {
        for (const { index, id, title, state, agents } of plan.steps) {
          rows.push({
            TraceId: traceId,
            PlanId: plan.planId ?? '',
            StepIndex: index,
            StepId: id ?? '',
            Title: title ?? '',
            State: state ?? '',
            Attempts: agents.length,
          })
        }
        for (const kind of ['steps', 'versions', 'reviews', 'waits', 'others'] as const) seen[kind] += plan[kind].length
      }
    }
    expect(inOrder(rows)).toEqual(await viewRows())
    for (const [kind, count] of Object.entries(seen)) expect([kind, count > 2]).toEqual([kind, true])
  })

  test('reference stored spans, and each agent once', async () => {
    for (const { planId, traceId } of await listAll(server, 'limit=1000')) {
      const { plans } = await stepsAt(planId, traceId)
      const path = `/api/records/${encodeURIComponent(planId)}/spans?trace=${traceId}`
      const { spans } = await read<SpanList>(server, path)
      const there = new Set(spans.map(({ spanId }) => spanId))
      const work = plans.flatMap(({ steps, others }) => [...steps.flatMap(({ agents }) => agents), ...others])
      const named = plans.flatMap(({ spanId, steps, versions, waits }) => [
        spanId,
        ...steps.flatMap(({ calls }) => calls),
        ...versions.map((version) => version.spanId),
        ...waits.map((wait) => wait.spanId),
      ])
      expect([...work, ...named].filter((id) => !there.has(id))).toEqual([])
      expect(new Set(work).size).toBe(work.length)
    }
  })

  test('are announced by the structure where the plan has any, and form the outline together with it', async () => {
    for (const { planId, traceId } of await listAll(server, 'limit=1000')) {
      const steps = await stepsAt(planId, traceId)
      const { plans } = steps
      const path = `/api/records/${encodeURIComponent(planId)}?trace=${traceId}&fields=`
      const structure = await read<StructureJson>(server, `${path}structure`)
      const { planned } = structure
      const isReported = plans.some(
        ({ steps, versions, reviews, waits }) =>
          steps.length + reviews.length + waits.length > 0 || versions.some(({ reason }) => reason !== null),
      )
      expect([planId, planned]).toEqual([planId, isReported])
      const outline = outlineSchema.parse(await read<OutlineJson>(server, `${path}outline`))
      expect(outline).toEqual({ ...structure, ...steps })
    }
  })

  test('contain who was waited for, and the answer', async () => {
    const { plans } = await stepsAt('plan-whole', 'a'.repeat(32))
    expect(plans[0]?.waits).toMatchObject([{ title: 'May I book?', resolution: 'approved' }])
    const { attributes } = (
      await read<SpanList>(server, `/api/records/plan-whole/spans?trace=${'a'.repeat(32)}`)
    ).spans.find(({ spanId }) => spanId === plans[0]?.waits[0]?.spanId)!
    expect(attributes[ATTR.waitTitle]).toBe('May I book?')
  })
})
