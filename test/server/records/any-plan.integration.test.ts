import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR, type Role, type Span } from '../../../src/semconv/index.js'
import { recordSegment } from '../../../src/wire/record-path/index.js'
import { anySpan } from '../../support/any-tree.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { startTestApp, type TestApp } from '../test-app.js'

let fresh: FreshDatabase
let server: TestApp
beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startTestApp({}, fresh)
})
afterAll(() => server.close())

const ROLES: readonly Role[] = ['plan', 'agent', 'think_act', 'tool']
const traceOf = (number: number): string => number.toString(16).padStart(32, 'c')

const read = async (path: string): Promise<{ verdict: string | null; text: string }> => {
  const response = await server.app.request(path)
  expect([path.slice(0, 80), response.status]).toEqual([path.slice(0, 80), 200])
  return { verdict: response.headers.get('planspan-verdict'), text: await response.text() }
}

/** All HTTP responses about a plan, and the rows of the views. */
async function readAll(planId: string, traceId: string) {
  const id = encodeURIComponent(planId)
  const record = await read(`/api/records/${id}`)
  const { spans } = JSON.parse((await read(`/api/records/${id}/spans`)).text) as { spans: unknown[] }
  await read(`/api/records/${id}?format=trajectory`)
  await read(`/api/traces/${traceId}/reading`)
  await read('/api/records?limit=1000')
  const views = ['plans', 'steps', 'agents', 'tool_calls', 'plan_usage', 'waits']
  for (const view of views) await execute(fresh.url, `SELECT * FROM ${fresh.database}.${view} FORMAT Null`)
  return { ...record, spans: spans.length }
}

describe('returns a whole plan', () => {
  test('with 1,000 nested plans', { timeout: 120_000 }, async () => {
    const traceId = traceOf(1)
    const spans: Span[] = Array.from({ length: 4_000 }, (_, index) => ({
      ...anySpan({
        index,
        parent: index - 1,
        role: ROLES[index % 4]!,
        planId: `deep-${Math.floor(index / 4)}`,
        rootPlanId: 'deep-0',
        attributes: { [ATTR.planParentId]: index < 4 ? '' : `deep-${Math.floor(index / 4) - 1}` },
      }),
      traceId,
    }))
    await server.send(spans)
    const { verdict, text, spans: count } = await readAll('deep-0', traceId)
    expect([verdict, count, text.match(/"currentPlanId":"deep-/g)?.length]).toEqual(['complete', 4_000, 1_000])
  })

  test.each(['1000000000000', '9223372036854775807'])('whose step numbers are %s', async (large) => {
    const traceId = traceOf(large.length)
    const numbers = Object.fromEntries(
      ['planspan.plan.current_step_index', ATTR.stepIndex, ATTR.planSegment, ATTR.seq].map((key) => [key, large]),
    )
    const imported = { [ATTR.recordDialect]: 'plan-execution', [ATTR.recordKey]: large }
    for (const [at, attributes] of [numbers, { ...numbers, ...imported }].entries()) {
      const planId = `large-${large}-${at}`
      const trace = `${at}${traceId.slice(1)}`
      const spans = ROLES.map((role, index) => anySpan({ index, parent: index - 1, role, planId, attributes }))
      await server.send(spans.map((span) => ({ ...span, traceId: trace })))
      expect(await readAll(planId, trace)).toMatchObject({ spans: 4 })
    }
  })

  test.each(['.', '..', '%', '%00', '\u0001\n\t', 'a/b', '?#&', 'é', 'x'.repeat(60_000), '\u0000', '""', '\\'])(
    'whose id is %j',
    async (planId) => {
      const traceId = traceOf(1_000 + planId.length * 256 + planId.charCodeAt(0))
      await server.send([{ ...anySpan({ index: 0, parent: -1, role: 'plan', planId }), traceId }])
      const response = await server.app.request(`/api/records/${recordSegment(planId)}`)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ currentPlanId: planId })
    },
  )
})
