import { Hono } from 'hono'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { exportRoute } from '../../../src/server/transfer/export-route.js'
import { Rebuilder } from '../../../src/server/rebuild/rebuilder.js'
import { WorkerPool } from '../../../src/server/rebuild/worker-pool.js'
import {
  type ExportLine,
  exportLineSchema,
  type PlanJson,
  type Problem,
  type RecordPage,
} from '../../../src/wire/index.js'
import { FOREIGN_TRACES, otlpText } from '../../support/foreign-traces.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, unreachableApp, type TestApp } from '../test-app.js'

let server: TestApp
/** The same route, with workers that make every record, however small. */
let byWorkers: Hono
const pool = new WorkerPool()

beforeAll(async () => {
  server = await startTestApp()
  for (const folder of ['lynxe', 'seeds']) {
    const directory = new URL(`../../fixtures/${folder}/`, import.meta.url)
    for (const name of readdirSync(directory).filter((file) => /\.jsonl?$/.test(file))) {
      await server.importRecords(readFileSync(new URL(name, directory)), { source: `${folder}/${name}` })
    }
  }
  await server.send(
    livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'plan-below', stepId: 'step-live' }),
  )
  const live = livePlan({ traceId: 'b'.repeat(32), planId: 'headless', subPlanId: 'below', stepId: 'step' })
  await server.send(live.filter(({ attributes }) => attributes['planspan.plan.id'] !== 'headless'))
  for (const { file } of FOREIGN_TRACES) {
    const headers = { 'content-type': 'application/json' }
    await server.app.request('/v1/traces', { method: 'POST', headers, body: otlpText(file) })
  }
  const { reader } = server.store
  byWorkers = new Hono().route('/', exportRoute({ reader, rebuilder: new Rebuilder(reader, pool, 0) }))
})
afterAll(async () => {
  pool.close()
  await server.close()
})

const get = (path: string): Promise<Response> => Promise.resolve(server.app.request(path))
const linesOf = (text: string) => text.split('\n').slice(0, -1)
const exported = async (query = '') => linesOf(await (await get(`/api/export${query}`)).text())
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as ExportLine)
const listed = async (query = '') =>
  ((await (await get(`/api/records?limit=1000${query}`)).json()) as RecordPage).records
const idOf = ({ planId, traceId }: Pick<PlanJson, 'planId' | 'traceId'>) => `${traceId} ${planId}`

describe('GET /api/export', () => {
  test('returns each record of the list once, in list order', async () => {
    const records = await listed()
    expect(records.length).toBeGreaterThan(20)
    expect(new Set(records.map(({ dialect, convention }) => dialect ?? convention)).size).toBeGreaterThan(6)
    expect(parsed(await exported()).map(idOf)).toEqual(records.map(idOf))
  })

  test('returns for each record what GET /api/records/{id} returns, byte for byte on request', async () => {
    for (const line of parsed(await exported('?exact=true'))) {
      const one = await get(`/api/records/${encodeURIComponent(line.planId)}?trace=${line.traceId}`)
      if (line.problem) {
        expect([one.status, line.problem.code]).toEqual([404, 'not_found'])
        continue
      }
      expect(line.text).toBe(await one.text())
      expect(line).toMatchObject({
        dialect: one.headers.get('planspan-dialect'),
        state: one.headers.get('planspan-state'),
        verdict: one.headers.get('planspan-verdict'),
      })
    }
  })

  test.each(['', '?exact=true', '?format=plan-act:sse'])('returns lines of the documented shape: %s', async (query) => {
    const shape = exportLineSchema.strict()
    for (const line of parsed(await exported(query))) expect(shape.safeParse(line).error).toBeUndefined()
  })

  test('returns JSON records as JSON', async () => {
    const [line] = parsed(await exported('?trace=' + 'a'.repeat(32)))
    expect(line?.record).toEqual(await (await get('/api/records/plan-live')).json())
  })

  test('writes all records in the requested dialect', async () => {
    const lines = parsed(await exported('?format=plan-act:sse')).filter(({ problem }) => !problem)
    expect(new Set(lines.map(({ dialect }) => dialect))).toEqual(new Set(['plan-act:sse']))
    for (const { planId, traceId, text } of lines.slice(0, 5)) {
      const one = await get(`/api/records/${encodeURIComponent(planId)}?trace=${traceId}&format=plan-act:sse`)
      expect(text).toBe(await one.text())
    }
  })

  test('filters as the list does', async () => {
    for (const query of ['state=failed', 'dialect=trajectory', 'state=completed&agent=scout', 'source=none']) {
      expect(parsed(await exported(`?${query}`)).map(idOf)).toEqual((await listed(`&${query}`)).map(idOf))
    }
  })

  test('continues after any record without a gap or a repetition', async () => {
    const lines = await exported()
    for (const at of [0, 1, Math.floor(lines.length / 2), lines.length - 1]) {
      const { cursor } = JSON.parse(lines[at]!) as ExportLine
      expect(await exported(`?cursor=${cursor}`)).toEqual(lines.slice(at + 1))
    }
  })

  test('gives the same result with workers', async () => {
    const response = await byWorkers.request('/api/export')
    expect(linesOf(await response.text())).toEqual(await exported())
  })

  test.each([
    ['?formt=trajectory', /formt is unknown/],
    ['?format=csv', /"csv" is not one of/],
    ['?cursor=nope', /cursor is malformed/],
    ['?state=failed&state=running', /more than once/],
  ])('rejects %s', async (query, reason) => {
    const response = await get(`/api/export${query}`)
    expect(response.status).toBe(400)
    expect(((await response.json()) as Problem).detail).toMatch(reason)
  })

  test('reports a missing store at once', async () => {
    expect((await unreachableApp().request('/api/export')).status).toBe(503)
  })
})
