import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { type FaultsJson, faultsSchema, type SpanList } from '../../../src/wire/index.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { PlanLife } from '../../support/plan-life.js'
import { listAll, read } from '../listed-plans.js'
import { startTestApp, type TestApp } from '../test-app.js'

/** Longer than the reported part of a message, and than the part that is read of a successful call. */
const LONG = 'The page said no. '.repeat(100)

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
  for (const { spans } of generatePlans({ plans: 30, days: 2, seed: 'faults', until: Date.UTC(2026, 2, 4) })) {
    await server.send(spans)
  }
  for (const { file } of FOREIGN_TRACES) {
    const headers = { 'content-type': 'application/json' }
    await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
  }
  const life = new PlanLife({ traceId: 'a'.repeat(32), planId: 'odd/..' })
  life.start('plan', 'plan', undefined, { [ATTR.planTitle]: 'Rome', [ATTR.planSteps]: ['Look', 'Book'] })
  life.start('agent', 'agent', 'plan', { [ATTR.stepIndex]: 1 })
  life.start('cycle', 'think_act', 'agent')
  life.start('guardrail', 'guardrail', 'cycle', { [ATTR.riskIsSafe]: false, [ATTR.riskScore]: 0.9 })
  life.end('guardrail', { [ATTR.riskExplanation]: LONG })
  for (const at of [1, 2, 3]) {
    life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: `click ${String(at)}`, [ATTR.toolCallArguments]: LONG })
    life.end('tool', { [ATTR.errorMessage]: `${String(at)}: ${LONG}` }, 'ERROR')
  }
  for (const name of ['cycle', 'agent', 'plan']) life.end(name)
  await server.send(life.rows)
}, 120_000)
afterAll(() => server.close())

const odd = (query = '') => read<FaultsJson>(server, `/api/records/odd%2F../faults${query}`)

describe('the faults of a plan', () => {
  test('match the plan’s spans, for the plans of all systems', async () => {
    const plans = await listAll(server, 'limit=1000')
    expect(plans.length).toBeGreaterThan(30 + FOREIGN_TRACES.length / 2)
    const seen = { failures: 0, actions: 0, waits: 0 }
    for (const { planId, traceId } of plans) {
      const path = `/api/records/${encodeURIComponent(planId)}/faults?trace=${traceId}&limit=1000`
      const faults = faultsSchema.parse(await read<FaultsJson>(server, path))
      const { spans } = await read<SpanList>(
        server,
        `/api/records/${encodeURIComponent(planId)}/spans?trace=${traceId}`,
      )
      const stopped = spans.filter(({ attributes }) => attributes[ATTR.riskActionTaken] === 'false')
      expect(faults.waits.count).toBe(spans.filter(({ attributes }) => attributes[ATTR.spanKind] === 'wait').length)
      expect(faults.actions.items.filter(({ taken }) => taken === false).length).toBe(
        stopped.filter(({ attributes }) => attributes[ATTR.spanKind] === 'guardrail').length,
      )
      const parents = new Map(spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]))
      for (const {
        spanId,
        path: [...path],
      } of faults.failures.items) {
        expect(path.pop()?.spanId).toBe(spanId)
        for (const above of path.toReversed().entries()) {
          expect(above[1].spanId).toBe(parents.get(path[path.length - above[0]]?.spanId ?? spanId))
        }
      }
      if (spans.some(({ statusCode }) => statusCode === 'ERROR')) expect(faults.failures.count).toBeGreaterThan(0)
      for (const kind of ['failures', 'actions', 'waits'] as const) seen[kind] += faults[kind].count
    }
    for (const [kind, count] of Object.entries(seen)) expect([kind, count > 2]).toEqual([kind, true])
  })

  test('report the step of each fault, the number of steps, and the beginning of its message', async () => {
    const { failures, actions } = await odd()
    expect(failures.count).toBe(3)
    expect(failures.items[0]).toMatchObject({ endedPlan: false, errorType: null })
    expect(failures.items[0]?.message).toBe(`1: ${LONG}`.slice(0, 499) + '…')
    expect(failures.items[0]?.path.map(({ role, label, step, steps }) => [role, label, step, steps])).toEqual([
      ['plan', 'Rome', null, null],
      ['agent', '', 2, 2],
      ['think_act', '', null, null],
      ['tool', expect.stringContaining('The page said no.'), null, null],
    ])
    expect(actions.items[0]).toMatchObject({ taken: true, tool: 'click 1', risk: 0.9 })
    expect(actions.items[0]?.explanation).toHaveLength(500)
    expect(actions.items[0]?.arguments).toBe(LONG.slice(0, 199) + '…')
  })

  test('are returned in pages', async () => {
    const { failures } = await odd('?limit=1&offset=1')
    expect([failures.count, failures.items.map(({ message }) => message?.[0])]).toEqual([3, ['2']])
    expect((await odd('?offset=3')).failures).toEqual({ count: 3, items: [] })
  })

  test('have a path that names the plan, and return 404 for an unknown plan', async () => {
    const { planId } = (await listAll(server, 'limit=1'))[0]!
    const at = `/api/records/${encodeURIComponent(planId)}/faults`
    expect((await server.app.request(at)).headers.has('etag')).toBe(true)
    expect((await server.app.request(`${at}?limit=0`)).status).toBe(400)
    expect((await server.app.request('/api/records/none/faults')).status).toBe(404)
  })
})
