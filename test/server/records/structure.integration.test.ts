import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { ATTR, type Role } from '../../../src/semconv/index.js'
import {
  type OutlineJson,
  type Problem,
  type SpanJson,
  type SpanList,
  type StructureJson,
  structureSchema,
} from '../../../src/wire/index.js'
import { anySpan } from '../../support/any-tree.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { planLife } from '../../support/simulated-plan.js'
import { longPlan } from '../../viewer/support/long-plan.js'
import { listAll, read } from '../listed-plans.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

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
        spans.map(({ attributes }) => {
          const { [ATTR.riskIsSafe]: isSafe, [ATTR.riskViolatedPolicyIds]: policies = '[]' } = attributes
          const isViolation = isSafe === undefined && policies !== '[]' && attributes[ATTR.riskRepeated] === undefined
          if (isSafe !== 'false' && !isViolation) return isSafe ? 'safe' : null
          return { true: 'taken', false: 'stopped' }[attributes[ATTR.riskActionTaken] ?? ''] ?? 'unsafe'
        }),
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

describe('fields=top', () => {
  const outlineOf = (fields: string) => read<OutlineJson>(server, `/api/records/plan-long?fields=${fields}`)

  test('tells of a long plan what stands on top, as the outline does', async () => {
    const long = longPlan({ steps: 20, cycles: 2_000 })
    const call = {
      ...long[25]!,
      spanId: 'c'.repeat(16),
      attributes: { ...long[25]!.attributes, [ATTR.spanKind]: 'tool' },
    }
    const below = (parent: string, spanId: string) => ({ ...long[1]!, spanId, parentSpanId: parent })
    // An agent below a call, and one whose agent above is not stored.
    await server.send([...long, call, below(call.spanId, 'a'.repeat(16)), below('9'.repeat(16), 'b'.repeat(16))])
    const [top, outline] = [await outlineOf('top'), await outlineOf('outline')]
    const isOnTop = ([, , role]: OutlineJson['spans'][number]) => role === 'plan' || role === 'agent'
    const isDeep = (spanId: string) => /^[ab]{16}$/.test(spanId)
    expect(top.spans).toEqual(outline.spans.filter((span) => isOnTop(span) && !isDeep(span[0])))
    expect(top.spans).toHaveLength(21)
    expect(top.plans[0]?.steps).toEqual(
      outline.plans[0]?.steps.map(({ agents, ...step }) => ({ ...step, agents: agents.filter((id) => !isDeep(id)) })),
    )
    expect([top.traceId, top.startTime, top.planned]).toEqual(['d'.repeat(32), outline.startTime, true])
  })

  test('tells nothing of a plan that is soon told of whole', async () => {
    for (const path of paths.slice(0, 5)) {
      expect((await read<OutlineJson>(server, at(path, '', '&fields=top'))).spans).toEqual([])
    }
  })
})

describe('GET /api/records/{id}/spans/{spanId}', () => {
  test('gives each span as the list of all does', async () => {
    const seen = new Set<string>()
    for (const path of [...paths, ...(await sendLives())]) {
      const { spans } = await read<SpanList>(server, at(path, '/spans'))
      const above = new Map(spans.map((span) => [span.spanId, span]))
      // One of each kind in each kind of place.
      for (const span of spans) {
        const of = (one: SpanJson | undefined) => one && [one.attributes[ATTR.spanKind], one.state, one.pending]
        const kind = JSON.stringify([of(span), of(above.get(span.parentSpanId)), Object.keys(span.attributes).length])
        if (seen.has(kind)) continue
        seen.add(kind)
        expect(await read<SpanJson>(server, at(path, `/spans/${span.spanId}`))).toEqual(span)
      }
    }
    expect(seen.size).toBeGreaterThan(100)
  }, 120_000)

  /** Plans that were suspended, resumed or cut off, and one whose tree is knotted and has other spans in it. */
  async function sendLives(): Promise<string[]> {
    const lives = fc.sample(planLife, { numRuns: 8, seed: 20 }).filter(({ rows }) => rows.length > 10)
    const traces = lives.map(({ rows }, number) =>
      rows.map((row) => ({ ...row, kind: 'INTERNAL' as const, traceId: String(number).padStart(32, 'e') })),
    )
    const roles: (Role | undefined)[] = [
      'plan',
      'agent',
      'think_act',
      'guardrail',
      undefined,
      'tool',
      'guardrail',
      'tool',
    ]
    const parents = [-1, 0, 1, 2, 2, 4, 7, 9]
    const mixed = roles.map((role, index) => ({
      ...anySpan({ index, parent: parents[index]!, role, planId: 'p', attributes: { [ATTR.riskIsSafe]: 'false' } }),
      traceId: 'f'.repeat(32),
    }))
    for (const spans of [...traces, mixed]) await server.send(spans)
    return [...traces, mixed].map(([span]) => `/api/records/p%trace=${span?.traceId}`)
  }

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
