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

/** Much longer than any value in the structure. */
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
  test('contains the same tree as the spans', async () => {
    for (const path of paths) {
      const { spans } = await read<SpanList>(server, at(path, '/spans'))
      const structure = structureSchema.parse(await read<StructureJson>(server, at(path, '', '&fields=structure')))
      const reported = structure.spans.map(([spanId, parent, role, name, , , durationMs, state, failed, pending]) => ({
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
      expect(reported).toEqual(
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

  test('reports the outcome of each action that a guardrail judged', async () => {
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

  test('summarizes each span in a few words', async () => {
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

  test('returns the top of a long plan, equal to the outline', async () => {
    const long = longPlan({ steps: 20, cycles: 2_000 })
    const call = {
      ...long[25]!,
      spanId: 'c'.repeat(16),
      attributes: { ...long[25]!.attributes, [ATTR.spanKind]: 'tool' },
    }
    const below = (parent: string, spanId: string) => ({ ...long[1]!, spanId, parentSpanId: parent })
    // An agent below a call, and an agent whose parent is not stored.
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

  test('returns nothing for a short plan, whose full structure follows soon', async () => {
    for (const path of paths.slice(0, 5)) {
      expect((await read<OutlineJson>(server, at(path, '', '&fields=top'))).spans).toEqual([])
    }
  })
})

describe('GET /api/records/{id}/spans/{spanId}', () => {
  test('returns each span exactly as the list of spans does', async () => {
    const seen = new Set<string>()
    for (const path of [...paths, ...(await sendLives())]) {
      const { spans } = await read<SpanList>(server, at(path, '/spans'))
      const above = new Map(spans.map((span) => [span.spanId, span]))
      // A span of each kind in each kind of position.
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

  /** Suspended, resumed and interrupted plans, and a plan whose tree has a cycle and foreign spans. */
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

  test('returns texts in full', async () => {
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

  test('rejects malformed span ids, and does not find spans of other plans', async () => {
    expect((await server.app.request(at(paths[0]!, '/spans/one'))).status).toBe(400)
    const other = await server.app.request(at(paths[0]!, `/spans/${'9'.repeat(16)}`))
    expect(other.status).toBe(404)
    expect(((await other.json()) as Problem).detail).toMatch(/has no span 9999/)
  })
})

describe('an ETag', () => {
  test.each(['', '/spans', '/spans/0000000000000001'])('lets a client reuse its cached copy: %j', async (tail) => {
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

  test('changes when the record changes', async () => {
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
  'a plan may be named %s',
  async (planId) => {
    const traceId = Buffer.from(planId.padEnd(16)).toString('hex')
    await server.send(livePlan({ traceId, planId, subPlanId: `${planId} below`, stepId: `${planId} step` }))
    const record = await read<{ currentPlanId: string }>(server, `/api/records/${planId}`)
    expect(record.currentPlanId).toBe(planId)
    const { spans } = await read<SpanList>(server, `/api/records/${planId}/spans`)
    expect(spans[0]?.attributes[ATTR.planId]).toBe(planId)
  },
)
