import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import type { Problem, SqlAnswer } from '../../../src/wire/index.js'
import { createSelector, type Selector } from '../../../src/store/index.js'
import { freshDatabase } from '../../support/clickhouse.js'
import { startTestApp, unreachableApp, type TestApp } from '../test-app.js'

const PLANS = 12

let server: TestApp
let sql: Selector
let database: string

beforeAll(async () => {
  const fresh = await freshDatabase()
  ;({ database } = fresh)
  sql = createSelector({ url: inject('clickhouseReaderUrl'), database })
  server = await startTestApp({ sql }, fresh)
  for (const { spans } of generatePlans({ plans: PLANS, days: 2, seed: 'sql', until: Date.UTC(2026, 2, 4) })) {
    await server.send(spans)
  }
  await server.index()
}, 60_000)
afterAll(async () => {
  await sql.close()
  await server.close()
})

const post = (body: object, headers: Record<string, string> = {}) =>
  server.app.request('/api/sql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const answer = async (body: object): Promise<SqlAnswer> => {
  const response = await post(body)
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as SqlAnswer
}
const refusal = async (sql: string): Promise<string> => {
  const response = await post({ sql })
  const { code, detail } = (await response.json()) as Problem
  return `${String(response.status)} ${code}: ${detail}`
}

describe('POST /api/sql', () => {
  test('returns the rows of a query over the views, with its columns', async () => {
    expect(
      await answer({
        sql: 'SELECT count() AS Plans, max(State) < {last:String} AS Before FROM plans WHERE IsRoot;',
        parameters: { last: 'z' },
      }),
    ).toEqual({
      columns: [
        { name: 'Plans', type: 'UInt64' },
        { name: 'Before', type: 'UInt8' },
      ],
      rows: [[String(PLANS), 1]],
      cut: null,
    })
    expect(await answer({ sql: 'SELECT 1 AS One WHERE 0 -- nothing' })).toEqual({
      columns: [{ name: 'One', type: 'UInt8' }],
      rows: [],
      cut: null,
    })
    expect((await answer({ sql: 'DESCRIBE plans' })).rows.length).toBeGreaterThan(20)
  })

  test('returns at most the requested number of rows', async () => {
    const many = "SELECT number, repeat('x', 98) FROM numbers(100000000)"
    expect(await answer({ sql: many, rows: 3 })).toMatchObject({
      rows: [
        ['0', {}],
        ['1', {}],
        ['2', {}],
      ].map(([n]) => [n, 'x'.repeat(98)]),
      cut: 'rows',
    })
    const { rows, cut } = await answer({ sql: many, bytes: 1000 })
    expect([rows.length, cut]).toEqual([9, 'bytes'])
    expect((await answer({ sql: "SELECT repeat('x', 100000)", bytes: 10 })).rows[0]?.[0]).toHaveLength(100_000)
    expect((await answer({ sql: 'SELECT number FROM numbers(3)', rows: 3 })).cut).toBeNull()
  })

  test.each([
    ['INSERT INTO otel_traces (TraceId) VALUES (1)', /^403 access_denied: Only reading planspan’s tables/],
    ['DROP VIEW plans', /^403 access_denied/],
    ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", /^403 access_denied/],
    ['SELECT * FROM system.users', /^403 access_denied/],
    ['SELECT nothing FROM plans', /^400 usage: ClickHouse rejects the query: .*nothing/],
    ['SELECT', /^400 usage: ClickHouse rejects the query/],
    ['SELECT 1; SELECT 2', /^400 usage/],
    ['SELECT 1 FORMAT TSV', /^400 usage/],
    ['SELECT * FROM (SELECT 1 SeTTings max_memory_usage = 0)', /^400 usage: The query contains the word SETTINGS/],
    ['SELECT sum(sleepEachRow(1)) FROM numbers(30)', /^400 usage: The query took longer than 10 seconds/],
    [
      'SELECT groupArray(repeat(toString(number), 100)) FROM numbers(100000000)',
      /^400 usage: The query (needs more than 1 GiB of memory|took longer)/,
    ],
    ["SELECT repeat('0123456789', 1000000)", /^400 usage: A row of the answer is larger than 8 MiB/],
    [
      "SELECT throwIf(number = 3000000, 'late') FROM numbers(4000000) WHERE number % 1000 = 0",
      /^400 usage: ClickHouse rejects the query: .*late/,
    ],
  ])(
    'rejects %s',
    async (query, said) => {
      const response = await post({ sql: query, rows: 10_000, bytes: 4 << 20 })
      const { code, detail } = (await response.json()) as Problem
      expect(`${String(response.status)} ${code}: ${detail}`).toMatch(said)
    },
    30_000,
  )

  test('rejects pages of another origin', async () => {
    const origin = { origin: 'http://evil.example' }
    expect((await post({ sql: 'SELECT 1' }, origin)).status).toBe(403)
    expect((await post({ sql: 'SELECT 1' }, { 'content-type': 'text/plain' })).status).toBe(400)
  })

  test('answers two queries at once, and asks further clients to retry', async () => {
    const slow = 'SELECT sleep(2)'
    const statuses = await Promise.all([slow, slow, slow].map(async (sql) => (await post({ sql })).status))
    expect(statuses.toSorted()).toEqual([200, 200, 503])
    expect(await refusal('SELECT odd')).toMatch(/^400/)
  })

  test('reports that it is disabled where the server has no read-only user', async () => {
    const response = await unreachableApp().request('/api/sql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"sql":"SELECT 1"}',
    })
    expect([response.status, ((await response.json()) as Problem).detail]).toEqual([
      403,
      expect.stringMatching(/^SQL is closed here/),
    ])
  })

  test('reads the views of its own database', async () => {
    expect((await answer({ sql: 'SELECT currentDatabase(), currentUser()' })).rows).toEqual([
      [database, 'planspan_reader'],
    ])
  })
})
