import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { RECORD_HEADERS } from '../../../src/semconv/index.js'
import type { Problem, RecordPage, SpanList } from '../../../src/wire/index.js'
import { recordSegment } from '../../../src/wire/record-path/index.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, unreachableApp, type TestApp } from '../test-app.js'

const directory = new URL('../../fixtures/lynxe/', import.meta.url)
const fixtures = readdirSync(directory).filter((name) => name.endsWith('.json'))
const fixture = (name: string) => readFileSync(new URL(name, directory))
const waiting = fixture('details-waiting-input.json')
const renamed = (planId: string) =>
  Buffer.from(waiting.toString().replaceAll('"plan-1767061562002"', JSON.stringify(planId)))

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
  for (const name of fixtures) await server.importRecords(fixture(name), { source: 'fixtures' })
  await server.send(
    livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'plan-below', stepId: 'step-live' }),
  )
})
afterAll(() => server.close())

const get = (path: string): Promise<Response> => Promise.resolve(server.app.request(path))
const page = async (path: string) => (await (await get(path)).json()) as RecordPage
const problemOf = async (response: Response) => (await response.json()) as Problem
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('GET /api/records/{id}', () => {
  test.each(fixtures)('returns %s byte for byte, with its verdict and state', async (name) => {
    const [record] = await server.importRecords(fixture(name), { source: 'again' })
    const response = await get(`/api/records/${record!.planId}?source=again&format=plan-execution`)
    expect(await bytesOf(response)).toEqual(fixture(name))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'planspan-verdict': 'complete',
      'planspan-state': decodeRecord(record!.spans.map(toStoredSpan))!.state,
      'planspan-dialect': 'plan-execution',
      'planspan-trace': record!.traceId,
    })
    expect(response.headers.has('planspan-missing')).toBe(false)
  })

  test.each(['a/b', 'a b', 'ü漢😀', '100%', 'a?b#c', 'a%2Fb'])(
    'finds the plan %s, whatever characters its id contains',
    async (id) => {
      await server.importRecords(renamed(id))
      const response = await get(`/api/records/${encodeURIComponent(id)}`)
      expect(await bytesOf(response)).toEqual(renamed(id))
    },
  )

  test('selects the requested source and trace', async () => {
    const [first] = await server.importRecords(renamed('plan-twice'), { source: 'one' })
    const changed = Buffer.from(renamed('plan-twice').toString().replace('"Form"', '"Changed"'))
    const [second] = await server.importRecords(changed, { source: 'two' })
    const read = async (query: string) => bytesOf(await get(`/api/records/plan-twice?${query}`))
    expect(await read('source=one')).toEqual(renamed('plan-twice'))
    expect(await read('source=two')).toEqual(changed)
    expect(await read(`trace=${first!.traceId}`)).toEqual(renamed('plan-twice'))
    expect(await read(`trace=${second!.traceId}`)).toEqual(changed)
    expect((await get('/api/records/plan-twice?source=three')).status).toBe(404)
  })

  test.each([
    ['plan-live', { currentPlanId: 'plan-live', title: 'Live' }],
    ['plan-below', { currentPlanId: 'plan-below', parentPlanId: 'plan-live', title: 'Below' }],
    ['step-live', { stepId: 'step-live', agentName: 'scout' }],
  ])('rebuilds %s from a live trace', async (id, expected) => {
    expect(await (await get(`/api/records/${id}`)).json()).toMatchObject(expected)
  })

  test('reports in ASCII headers what a partial record lacks', async () => {
    const text = renamed('plan-partial').toString().replace('"ConfigurableDynaAgent"', '"Ägent\u007F"')
    const [record] = encodeRecords(Buffer.from(text))
    await server.send(record!.spans.toSpliced(1, 1))
    const response = await get('/api/records/plan-partial')
    expect(response.headers.get('planspan-verdict')).toBe('partial')
    expect(response.headers.get('planspan-missing')).toBe('1')
    const list = response.headers.get('planspan-missing-list')!
    expect(list).toMatch(/^[\u0020-\u007E]+$/)
    expect(JSON.parse(list)).toHaveLength(1)
  })

  test('returns 404 with what was looked up and what to do', async () => {
    const response = await get('/api/records/nope?source=s')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const { detail, code } = await problemOf(response)
    expect(code).toBe('not_found')
    expect(detail).toMatch(/"nope" from the source "s" is stored.*planspan list/)
  })

  test('contains the known part of a plan whose own span has not arrived', async () => {
    const [, agent] = livePlan({ traceId: 'b'.repeat(32), planId: 'plan-late', subPlanId: 'x', stepId: 'step-late' })
    await server.send([agent!])
    const response = await get('/api/records/plan-late')
    expect(response.status).toBe(200)
    expect([RECORD_HEADERS.verdict, RECORD_HEADERS.missingList].map((name) => response.headers.get(name))).toEqual([
      'partial',
      expect.stringContaining('the span of the plan'),
    ])
  })
})

const ODD_IDS = [
  ...Array.from('.?#+ \t\u0000"\'\\/'),
  ...'.. ../.. %2e%2e a/b /events ..%2Fspans &planId=x {x:String} ü漢😀'.split(' '),
  'a'.repeat(10_000),
  '漢/'.repeat(5_000),
]

describe('/api/records/{id} with any id', () => {
  const pathOf = (id: string, below = '') => `/api/records/${recordSegment(id)}${below}`

  test.each(ODD_IDS)('finds the plan %j', async (id) => {
    await server.importRecords(renamed(id), { source: 'odd' })
    expect(await bytesOf(await get(`${pathOf(id)}?source=odd`))).toEqual(renamed(id))
    const { spans } = (await (await get(pathOf(id, '/spans'))).json()) as SpanList
    expect(spans[0]!.attributes['planspan.plan.id']).toBe(id)
    const spanId = spans[0]!.spanId
    expect(await (await get(pathOf(id, `/spans/${spanId}`))).json()).toEqual(spans[0])
    const events = await get(pathOf(id, '/events'))
    expect(await events.text()).toContain('event: ')
  })

  test('accepts a percent-encoded slash without the escape as well', async () => {
    await server.importRecords(renamed('x/y'), { source: 'slash' })
    expect(await bytesOf(await get('/api/records/x%2Fy'))).toEqual(renamed('x/y'))
  })

  test.each(['.', '..', 'step/one', 's'.repeat(10_000)])('finds the step %j, which is also a plan’s id', async (id) => {
    await server.importRecords(renamed(id), { source: 'a plan' })
    const execution = fixture('agent-execution-detail.json').toString()
    const agent = Buffer.from(execution.replaceAll('step-353d351a-ce60-4142-8ce2-79beba213208', id))
    await server.importRecords(agent, { source: 'a step' })
    expect(await bytesOf(await get(`${pathOf(id)}?kind=step`))).toEqual(agent)
    expect(await (await get(`${pathOf(id)}?kind=step&format=plan-act:sse`)).text()).toContain('event: ')
  })

  test.each([
    ['a?formt=x', /formt is unknown here \(known: format, per, fields, source, trace, kind\)/],
    ['a?format=x', /format: "x" is not one of plan-execution/],
    ['a?kind=agent', /kind: "agent" is not one of plan, step/],
    ['~%25', /"~%" is malformed/],
  ])('rejects %s', async (path, detail) => {
    const response = await get(`/api/records/${path}`)
    expect(response.status).toBe(400)
    expect((await problemOf(response)).detail).toMatch(detail)
  })

  test('returns 404 for the empty id and an unknown step', async () => {
    expect((await problemOf(await get('/api/records/~'))).detail).toMatch(/^No plan and no step "" is stored/)
    const response = await get('/api/records/plan-live?kind=step')
    expect(response.status).toBe(404)
    expect((await problemOf(response)).detail).toMatch(/^No step "plan-live" is stored/)
  })
})

describe('GET /api/records/{id}/spans', () => {
  test('returns the trace’s spans in order of their start', async () => {
    const { spans } = (await (await get('/api/records/plan-live/spans')).json()) as SpanList
    expect(spans.map(({ name }) => name)).toEqual([
      'invoke_workflow',
      'invoke_agent',
      'agent_step',
      'execute_tool',
      'invoke_workflow',
    ])
    expect(spans[0]).toMatchObject({
      spanId: '0000000000000001',
      parentSpanId: '',
      pending: false,
      durationMs: 98,
      startTime: '2026-03-04T12:00:00.001Z',
      attributes: { 'planspan.plan.id': 'plan-live' },
    })
  })
})

describe('GET /api/records', () => {
  test('lists root plans with their state, and imports with their source, but no sub-plans', async () => {
    const { records } = await page('/api/records')
    const find = (planId: string, source: string | null) =>
      records.find((record) => record.planId === planId && record.source === source)
    expect(find('plan-live', null)).toMatchObject({
      live: true,
      dialect: null,
      source: null,
      state: 'completed',
      title: 'Live',
      startTime: '2026-03-04T12:00:00.001Z',
      endTime: '2026-03-04T12:00:00.099Z',
      durationMs: 98,
      spans: 5,
    })
    expect(find('plan_1743142451689', 'fixtures')).toMatchObject({ live: false, dialect: 'plan-execution' })
    expect(find('plan-below', null)).toBeUndefined()
  })

  test('pages through all plans, each exactly once', async () => {
    const whole = (await page('/api/records?source=fixtures')).records.map(({ traceId }) => traceId)
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: RecordPage = await page(`/api/records?source=fixtures&limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...next.records.map(({ traceId }) => traceId))
      cursor = next.nextCursor
    }
    expect(whole).toHaveLength(fixtures.length)
    expect(paged).toEqual(whole)
  })

  test.each([
    ['state=waiting&source=fixtures', ['plan-1767061562002']],
    ['state=updating,waiting&source=fixtures', ['plan-1767061562002']],
    ['since=2025-12-30&until=2025-12-31T00:00:00%2B00:00&source=fixtures&state=waiting', ['plan-1767061562002']],
    ['since=2025-12-30T10:26:02.5000000Z&until=2025-12-30T10:26:02.500000001Z&source=fixtures', ['plan-1767061562002']],
    ['until=2025-03-29&source=fixtures&dialect=plan-execution&all=true', ['plan_1743142451689']],
    ['source=nobody', []],
  ])('accepts the filters %s', async (query, expected) => {
    expect((await page(`/api/records?${query}`)).records.map(({ planId }) => planId)).toEqual(expected)
  })

  test.each([
    ['limit=0', /limit: /],
    ['limit=many', /limit: /],
    ['since=yesterday', /since: "yesterday" is not an ISO 8601 time/],
    ['until=2026-02-30', /until: /],
    ['state=running,odd', /state: "odd" is not one of planning, .*interrupted/],
    ['dialect=odd', /dialect: .*plan-execution/],
    ['all=yes', /all: /],
    ['cursor=odd', /cursor/],
    ['state=running&state=waiting', /state is given more than once/],
    ['limits=3', /limits is unknown here \(known: .*limit\)/],
  ])('rejects %s and names it', async (query, reason) => {
    const response = await get(`/api/records?${query}`)
    expect(response.status).toBe(400)
    expect((await problemOf(response)).detail).toMatch(reason)
  })

  test('returns 400 for a record of an unknown format', async () => {
    const response = await get('/api/records/plan-live?format=odd')
    expect(response.status).toBe(400)
    expect((await problemOf(response)).detail).toMatch(/format: "odd" is not one of plan-execution, .*plan-act:session/)
  })

  test('returns 503 with the reason when the store does not answer', async () => {
    const response = await unreachableApp().request('/api/records')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await problemOf(response)).toMatchObject({
      code: 'store_unreachable',
      detail: expect.stringMatching(/does not answer.*--clickhouse/),
    })
  })
})
