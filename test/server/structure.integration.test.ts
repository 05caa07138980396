import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../src/generate/index.js'
import { ATTR } from '../../src/semconv/index.js'
import type { Problem, SpanJson, SpanList, StructureJson } from '../../src/server/index.js'
import { structureSchema } from '../../src/server/structure-json.js'
import { FOREIGN_TRACES, otlpText } from '../support/foreign-traces.js'
import { listAll, read } from './listed-plans.js'
import { livePlan } from './live-plan.js'
import { startTestApp, type TestApp } from './test-app.js'

/** Much longer than what the structure is made of. */
const LONG = 'A long text, "quoted" and — 漢字. '.repeat(100)

let server: TestApp
let paths: string[]

beforeAll(async () => {
  server = await startTestApp()
  for (const { spans } of generatePlans({ plans: 20, days: 2, seed: 'structure', until: Date.UTC(2026, 2, 4) })) {
    await server.send(
      spans.map((span) => ({
        ...span,
        attributes: {
          ...span.attributes,
          ...(span.attributes[ATTR.spanKind] === 'tool' ? { [ATTR.toolCallResult]: LONG } : {}),
        },
      })),
    )
  }
  for (const { file } of FOREIGN_TRACES) {
    const headers = { 'content-type': 'application/json' }
    await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
  }
  const rows = await listAll(server, 'limit=1000')
  paths = rows.map(({ planId, traceId }) => `/api/records/${encodeURIComponent(planId)}%trace=${traceId}`)
}, 120_000)

afterAll(() => server.close())

const at = (path: string, tail: string, query = ''): string => {
  const [record, trace] = path.split('%trace=') as [string, string]
  return `${record}${tail}?trace=${trace}${query}`
}

describe('fields=structure', () => {
  test('tells the same tree as the spans do', async () => {
    for (const path of paths) {
      const { spans } = await read<SpanList>(server, at(path, '/spans'))
      const structure = structureSchema.parse(await read<StructureJson>(server, at(path, '', '&fields=structure')))
      const told = structure.spans.map(([spanId, parent, role, name, , , durationMs, state, failed, pending]) => ({
        spanId,
        parent: parent === null ? null : structure.spans[parent]?.[0],
        role,
        name,
        durationMs,
        state,
        failed,
        pending,
      }))
      const ids = new Set(spans.map(({ spanId }) => spanId))
      expect(told).toEqual(
        spans.map(({ spanId, parentSpanId, name, durationMs, state, statusCode, pending, attributes }) => ({
          spanId,
          parent: ids.has(parentSpanId) ? parentSpanId : null,
          role: attributes[ATTR.spanKind] ?? null,
          name,
          durationMs,
          state,
          failed: statusCode === 'ERROR',
          pending,
        })),
      )
    }
  })

  test('tells what became of what guardrails judged', async () => {
    const judged = new Set<unknown>()
    for (const path of paths) {
      const { spans } = await read<SpanList>(server, at(path, '/spans'))
      const structure = await read<StructureJson>(server, at(path, '', '&fields=structure'))
      expect(structure.spans.map((span) => span[12])).toEqual(
        spans.map(({ attributes: { [ATTR.riskIsSafe]: isSafe, [ATTR.riskActionTaken]: isTaken } }) =>
          isSafe === 'false'
            ? ({ true: 'taken', false: 'stopped' }[isTaken ?? ''] ?? 'unsafe')
            : isSafe
              ? 'safe'
              : null,
        ),
      )
      for (const span of structure.spans) judged.add(span[12])
    }
    expect([...judged]).toEqual(expect.arrayContaining([null, 'safe', 'stopped']))
  })

  test('says in a few words what each was about', async () => {
    const labels = new Set<string>()
    for (const path of paths) {
      const { spans } = await read<StructureJson>(server, at(path, '', '&fields=structure'))
      for (const [, , , , label] of spans) labels.add(label)
    }
    expect(labels.size).toBeGreaterThan(100)
    expect(Math.max(...[...labels].map((label) => [...label].length))).toBeLessThanOrEqual(80)
  })
})

describe('GET /api/records/{planId}/spans/{spanId}', () => {
  test('gives each span as the list of all does', async () => {
    for (const path of paths) {
      const { spans } = await read<SpanList>(server, at(path, '/spans'))
      for (const span of [spans[0]!, spans.at(-1)!, spans[spans.length >> 1]!]) {
        expect(await read<SpanJson>(server, at(path, `/spans/${span.spanId}`))).toEqual(span)
      }
    }
  }, 120_000)

  test('gives what was said in full', async () => {
    for (const path of paths) {
      const { spans } = await read<SpanList>(server, at(path, '/spans'))
      const said = spans.find(({ attributes }) => attributes[ATTR.toolCallResult] === LONG)
      if (!said) continue
      const one = await read<SpanJson>(server, at(path, `/spans/${said.spanId.toUpperCase()}`))
      expect(one.attributes[ATTR.toolCallResult]).toBe(LONG)
      return
    }
    throw new Error('No tool says much.')
  })

  test('refuses what is no span id, and knows no other plan’s', async () => {
    expect((await server.app.request(at(paths[0]!, '/spans/one'))).status).toBe(400)
    const other = await server.app.request(at(paths[0]!, `/spans/${'9'.repeat(16)}`))
    expect(other.status).toBe(404)
    expect(((await other.json()) as Problem).detail).toMatch(/has no span 9999/)
  })
})

describe('an ETag', () => {
  test.each(['', '/spans', '/spans/0000000000000001'])('spares a client what it has: %j', async (tail) => {
    await server.send(
      livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'plan-below', stepId: 'step-live' }),
    )
    const path = `/api/records/plan-live${tail}`
    const first = await server.app.request(path)
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const ask = (known: string) => server.app.request(path, { headers: { 'if-none-match': known } })
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(known)
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
      expect(again.headers.get('planspan-state')).toBe(first.headers.get('planspan-state'))
    }
    const whole = await ask('"other"')
    expect([whole.status, await whole.text()]).toEqual([200, await first.text()])
  })

  test('is another one where the record has changed', async () => {
    const ids = { traceId: 'b'.repeat(32), planId: 'plan-more', subPlanId: 'plan-under', stepId: 'step-more' }
    const [plan, ...others] = livePlan(ids)
    await server.send([plan!])
    const etag = (await server.app.request('/api/records/plan-more')).headers.get('etag')!
    await server.send(others)
    const again = await server.app.request('/api/records/plan-more', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(200)
  })
})

test.each(['facets', 'events', 'spans', 'openapi.json', 'docs', 'record', 'export', 'records'])(
  'a plan may be called %s',
  async (planId) => {
    const traceId = Buffer.from(planId.padEnd(16)).toString('hex')
    await server.send(livePlan({ traceId, planId, subPlanId: `${planId} below`, stepId: `${planId} step` }))
    const record = await read<{ currentPlanId: string }>(server, `/api/records/${planId}`)
    expect(record.currentPlanId).toBe(planId)
    const { spans } = await read<SpanList>(server, `/api/records/${planId}/spans`)
    expect(spans[0]?.attributes[ATTR.planId]).toBe(planId)
  },
)
