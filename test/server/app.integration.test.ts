import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { PlanspanError } from '../../src/error.js'
import type { Problem, Readiness } from '../../src/wire/index.js'
import { execute } from '../support/clickhouse.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'
import { startTestApp, unreachableApp, type TestApp } from './test-app.js'

let server: TestApp
const spanRequest = JSON.stringify(makeRequest([makeSpan(1)]))
let outage: PlanspanError | undefined

beforeAll(async () => {
  server = await startTestApp({ localOnly: true, outage: () => outage })
})
afterAll(() => server.close())

describe('/healthz', () => {
  test('returns 200 while the process is running, whatever the state of the store', async () => {
    expect((await unreachableApp().request('/healthz')).status).toBe(200)
  })
})

describe('/readyz', () => {
  test('reports versions, the database and the clock skew', async () => {
    const response = await server.app.request('/readyz')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      status: 'ready',
      planspan: expect.stringMatching(/^\d+\.\d+\.\d+/),
      clickhouse: expect.stringMatching(/^\d+\.\d+/),
      database: server.store.database,
      clockDifferenceMs: expect.any(Number),
      indexer: { running: expect.any(Boolean), lagSeconds: expect.any(Number), pendingRows: expect.any(Number) },
    })
  })

  test('returns 503 with the reason while the embedded ClickHouse is down', async () => {
    outage = new PlanspanError('clickhouse_failed', 'ClickHouse is restarting.')
    const response = await server.app.request('/readyz')
    outage = undefined
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ status: 'unavailable', reason: 'ClickHouse is restarting.' })
  })

  test('returns 503 when the store does not answer', async () => {
    const response = await unreachableApp().request('/readyz')
    expect(response.status).toBe(503)
    expect((await response.json()) as Readiness).toMatchObject({ code: 'store_unreachable' })
  })

  test.each(['plan_keys', 'plan_rows', 'otel_traces', 'otel_traces_trace_id_ts'])(
    'returns 503 when the table %s is missing',
    async (table) => {
      const rename = (from: string, to: string) =>
        execute(
          inject('clickhouseUrl'),
          `RENAME TABLE ${server.store.database}.${from} TO ${server.store.database}.${to}`,
        )
      await rename(table, 'away')
      try {
        const response = await server.app.request('/readyz')
        expect(response.status).toBe(503)
        expect((await response.json()) as Readiness).toMatchObject({ code: 'schema_mismatch' })
      } finally {
        await rename('away', table)
      }
    },
  )
})

describe('the app', () => {
  test('answers an unknown path with a list of its paths', async () => {
    const response = await server.app.request('/nope')
    expect(response.status).toBe(404)
    expect(((await response.json()) as Problem).detail).toMatch(/no GET \/nope here.*POST \/v1\/traces.*\/readyz/)
  })

  test.each([
    ['/api/records', {}],
    ['/v1/traces', { method: 'POST', headers: { 'content-type': 'application/json' }, body: spanRequest }],
  ])('reports at %s why the embedded ClickHouse does not answer', async (path, request) => {
    const down = new PlanspanError('disk_full', 'The disk is full.')
    const response = await unreachableApp({ outage: () => down }).request(path, request)
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('The disk is full.')
  })

  test.each([
    ['localhost', 200],
    ['127.0.0.1', 200],
    ['192.168.1.2', 200],
    ['[::1]', 200],
    ['agents.localhost', 200],
    ['rebound.example', 403],
    ['localhost.example', 403],
  ])('on loopback, answers requests for the host %s with %i', async (host, status) => {
    expect((await server.app.request(`http://${host}:4318/healthz`)).status).toBe(status)
  })

  test('sends no CORS headers to web pages', async () => {
    const response = await server.app.request('/api/records', {
      method: 'OPTIONS',
      headers: { origin: 'http://page.example', 'access-control-request-method': 'GET' },
    })
    const names = [...response.headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
