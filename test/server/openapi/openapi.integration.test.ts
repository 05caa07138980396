import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { openApiDocument, type OpenApiDocument } from '../../../src/server/openapi-document.js'
import { createSelector, type Selector } from '../../../src/store/index.js'
import { freshDatabase } from '../../support/clickhouse.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, unreachableApp, type TestApp } from '../test-app.js'

const record = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')

/** Objects are open to further keys, but no response has a key that the document does not name. */
const document = openApiDocument({ closed: true })
const ajv = new Ajv2020({ strict: false })
ajv.addSchema({ $id: 'openapi', ...document })

let server: TestApp

let sql: Selector
const unreachable = createSelector({ url: 'http://planspan:secret@127.0.0.1:1', database: 'otel' })

beforeAll(async () => {
  const fresh = await freshDatabase()
  sql = createSelector({ url: inject('clickhouseReaderUrl'), database: fresh.database })
  server = await startTestApp({ sql }, fresh)
  await server.importRecords(Buffer.from(record), { source: 'imported' })
  await server.send(livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'below', stepId: 'step' }))
}, 60_000)
afterAll(async () => {
  await sql.close()
  await server.close()
})

type Case = [path: string, url: string, status: number, init?: RequestInit]

const body = (json: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(json),
})
const deletion = (headers = {}): RequestInit => ({ method: 'DELETE', headers })
const file = (text: string): RequestInit => ({ method: 'POST', body: text })
const MISSING = 'no-plan'
const SPAN = '0000000000000001'

/** The tested statuses of each operation, besides 503. */
const CASES: Case[] = [
  ['/api/records', '/api/records?limit=1', 200],
  ['/api/records', '/api/records?sort=odd', 400],
  ['/api/records', '/api/records?source=new', 200, file(record)],
  ['/api/records', '/api/records?keepGoing=true&source=half', 207, file(`${record.trim()}\n{"planId":7}\n`)],
  ['/api/records', '/api/records', 400, file('{"planId":7}')],
  ['/api/records', '/api/records?redact=perhaps', 400, file(record)],
  ['/api/facets', '/api/facets', 200],
  ['/api/facets', '/api/facets?sort=start', 400],
  ['/api/totals', '/api/totals', 200],
  ['/api/totals', '/api/totals?sort=start', 400],
  ['/api/compare', '/api/compare?id=plan-live&id=below', 200],
  ['/api/compare', '/api/compare?id=plan-live', 400],
  ['/api/compare', `/api/compare?id=plan-live&id=${MISSING}`, 404],
  ['/api/compare/sets', '/api/compare/sets?set=state%3Dcompleted&set=', 200],
  ['/api/compare/sets', '/api/compare/sets?set=state%3Dodd', 400],
  ['/api/export', '/api/export', 200],
  ['/api/export', '/api/export?limit=1', 400],
  ['/api/check', '/api/check', 200, body({ rules: [{ name: 'a', state: 'completed' }] })],
  ['/api/check', '/api/check', 400, body({ rules: [{ name: 'a', state: 'done' }] })],
  ['/api/check', '/api/check', 404, body({ rules: [{ name: 'a', state: 'completed' }], ids: [MISSING] })],
  ['/api/views/{view}', '/api/views/plans', 200],
  ['/api/views/{view}', '/api/views/plans?limit=1', 400],
  ['/api/views/{view}', '/api/views/spans', 404],
  ['/api/events', '/api/events?limit=1', 200],
  ['/api/events', '/api/events?cursor=x', 400],
  ['/api/records/{id}', '/api/records/plan-live', 200],
  ['/api/records/{id}', '/api/records/plan-live?fields=structure', 200],
  ['/api/records/{id}', '/api/records/plan-live?format=plan-act:sse', 200],
  ['/api/records/{id}', '/api/records/plan-live?fields=all', 400],
  ['/api/records/{id}', `/api/records/${MISSING}`, 404],
  ['/api/records/{id}/spans', '/api/records/plan-live/spans', 200],
  ['/api/records/{id}/spans', '/api/records/plan-live/spans?limit=1', 400],
  ['/api/records/{id}/spans', `/api/records/${MISSING}/spans`, 404],
  ['/api/records/{id}', '/api/records/step?kind=step', 200],
  ['/api/records/{id}', '/api/records/~%25', 400],
  ['/api/records/{id}/spans/{spanId}', `/api/records/plan-live/spans/${SPAN}`, 200],
  ['/api/records/{id}/spans/{spanId}', '/api/records/plan-live/spans/1', 400],
  ['/api/records/{id}/spans/{spanId}', `/api/records/plan-live/spans/${'9'.repeat(16)}`, 404],
  ['/api/records/{id}/spans/events', '/api/records/plan-live/spans/events', 200],
  ['/api/records/{id}/spans/events', '/api/records/plan-live/spans/events?spanId=1', 400],
  ['/api/records/{id}/spans/events', `/api/records/${MISSING}/spans/events`, 404],
  ['/api/records/{id}/faults', '/api/records/plan-live/faults', 200],
  ['/api/records/{id}/faults', '/api/records/plan-live/faults?offset=-1', 400],
  ['/api/records/{id}/faults', `/api/records/${MISSING}/faults`, 404],
  ['/api/records/{id}/steps', '/api/records/plan-live/steps', 200],
  ['/api/records/{id}/steps', '/api/records/plan-live/steps?limit=1', 400],
  ['/api/records/{id}/steps', `/api/records/${MISSING}/steps`, 404],
  ['/api/records/{id}/events', '/api/records/plan-live/events', 200],
  ['/api/records/{id}/events', '/api/records/plan-live/events?format=x', 400],
  ['/api/records/{id}/events', `/api/records/${MISSING}/events`, 404],
  ['/api/records/{id}/spans/matches', '/api/records/plan-live/spans/matches?text=scout', 200],
  ['/api/records/{id}/spans/matches', '/api/records/plan-live/spans/matches', 400],
  ['/api/records/{id}/spans/matches', `/api/records/${MISSING}/spans/matches?text=scout`, 404],
  ['/api/traces/{traceId}/reading', `/api/traces/${'a'.repeat(32)}/reading`, 200],
  ['/api/traces/{traceId}/reading', '/api/traces/one/reading', 400],
  ['/api/traces/{traceId}/reading', `/api/traces/${'9'.repeat(32)}/reading`, 404],
  ['/api/sql', '/api/sql', 200, body({ sql: 'SELECT 1' })],
  ['/api/sql', '/api/sql', 400, body({ sql: 'SELECT' })],
  ['/api/sql', '/api/sql', 403, body({ sql: 'DROP VIEW plans' })],
  ['/api/storage', '/api/storage', 200],
  ['/api/session', '/api/session', 200],
  ['/api/session', '/api/session', 404, body({ token: 'x' })],
  ['/api/records/{id}', '/api/records/plan-live?together=perhaps', 400, deletion()],
  ['/api/records/{id}', '/api/records/plan-live', 403, deletion({ origin: 'http://elsewhere.example' })],
  ['/api/records/{id}', `/api/records/${MISSING}`, 404, deletion()],
  ['/api/records/{id}', '/api/records/below', 409, deletion()],
  ['/healthz', '/healthz', 200],
  ['/readyz', '/readyz', 200],
  ['/metrics', '/metrics', 200],
]

/** Headers that only some responses have: a record reports how it was rebuilt, and a partial record what it lacks. */
const OF_SOME = /^planspan-/

/** Fails if a response does not match the document. */
async function check(path: string, method: string, response: Response): Promise<void> {
  const pointer = `openapi#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}`
  const reported = document.paths[path]?.[method]?.responses[response.status]
  expect({ path, method, status: response.status, isReported: reported !== undefined }).toMatchObject({
    isReported: true,
  })
  for (const name of Object.keys(reported?.headers ?? {})) {
    expect([name, response.headers.has(name) || OF_SOME.test(name)]).toEqual([name, true])
  }
  const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '')
  const [media] = Object.keys(reported?.content ?? {})
  if (media === undefined) return expect(await response.text()).toBe('')
  if (media !== '*/*') expect(type).toBe(media)
  if (!/[/+]json$/.test(type) || media === '*/*') return void (await response.body?.cancel())
  const isValid = ajv.getSchema(
    `${pointer}/${method}/responses/${String(response.status)}/content/${media.replaceAll('/', '~1').replaceAll('+', '%2B')}/schema`,
  )
  expect(isValid).toBeDefined()
  const json: unknown = await response.json()
  expect([isValid!(json), isValid!.errors ?? []]).toEqual([true, []])
}

const methodOf = (init: RequestInit | undefined): string => (init?.method ?? 'GET').toLowerCase()

describe('/openapi.json', () => {
  test.each(CASES)('describes %s, requested as %s: %i', async (path, url, status, init) => {
    const response = await server.app.request(url, init)
    expect(response.status).toBe(status)
    await check(path, methodOf(init), response)
  })

  test.each(
    CASES.filter(([path, , status]) => status === 200 && '304' in (document.paths[path]?.['get']?.responses ?? {})),
  )('describes %s when it is not modified: %s', async (path, url, _status, init) => {
    const first = await server.app.request(url, init)
    const known = { 'if-none-match': first.headers.get('etag')! }
    const response = await server.app.request(url, { ...init, headers: known })
    expect(response.status).toBe(304)
    await check(path, methodOf(init), response)
  })

  test.each(
    CASES.filter(([path, , status]) => status === 200 && !['/healthz', '/metrics', '/api/session'].includes(path)),
  )('describes %s without a store: %s', async (path, url, _status, init) => {
    const response = await unreachableApp({ sql: unreachable }).request(url, init)
    expect(response.status).toBe(503)
    await check(path, methodOf(init), response)
  })

  test('lists no other responses, except those for tokens and for long requests', () => {
    const asked = new Set(CASES.map(([path, , status, init]) => `${methodOf(init)} ${path} ${String(status)}`))
    const reported = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${method} ${path} ${status}`),
      ),
    )
    expect(
      reported.filter(
        (one) => !asked.has(one) && !/ (503|304|408|413|204|401|403|429)$|post \/api\/session 400/.test(one),
      ),
    ).toEqual([])
  })

  test('lists the required parameters of each request', () => {
    const required = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters }) =>
        parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => `${path} ${name}`),
      ),
    )
    expect(required.toSorted()).toEqual([
      '/api/compare id',
      '/api/compare/sets set',
      '/api/records/{id}/spans/matches text',
    ])
  })

  test('describes every route except those of OTLP, of Lynxe, of the page and of the document itself', () => {
    const routes = server.app.routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))
    const undocumented = routes
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .filter(
        (route) => !/ (\/v1\/|\/api\/executor\/|\/openapi.json|\/docs|\/assets\/|\/plans|\/compare$|\/$)/.test(route),
      )
      .filter((route) => {
        const [method = '', path = ''] = route.split(' ')
        return document.paths[path]?.[method] === undefined
      })
    expect(undocumented).toEqual([])
  })

  test('is served, and its references resolve', async () => {
    const response = await server.app.request('/openapi.json')
    const served = (await response.json()) as OpenApiDocument
    expect(served).toEqual(openApiDocument())
    const text = JSON.stringify(served)
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w*)"/g)) {
      expect(served.components.schemas).toHaveProperty(name)
    }
    expect(text).not.toContain('"$id"')
    expect(served.paths['/api/records']?.['get']?.parameters.find(({ name }) => name === 'sort')).toMatchObject({
      in: 'query',
      required: false,
      schema: { enum: ['start', 'duration', 'tokens', 'cost', 'risk'] },
    })
  })
})

test('/docs describes the same operations to people, and loads nothing', async () => {
  const response = await server.app.request('/docs')
  const page = await response.text()
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
  expect(page).not.toMatch(/<script|<link|<img|src=|url\(|https?:/)
  for (const path of Object.keys(document.paths)) expect(page).toContain(path)
})
