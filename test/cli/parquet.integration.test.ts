import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { generatePlans } from '../../src/generate/index.js'
import { toStoredSpan } from '../../src/mapping/index.js'
import { type RunningServer, startServer } from '../../src/server/index.js'
import { createStore, PLAN_VIEWS } from '../../src/store/index.js'
import { readViews } from '../../src/store/views/views.js'
import { insertStoredSpans } from '../store/spans.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { listenHttp } from '../support/http-server.js'
import { indexAll } from '../support/index-all.js'
import { runCli } from './run-cli.js'

let fresh: FreshDatabase
let server: RunningServer
let store: ReturnType<typeof createStore>
let folder: string

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ port: 0, clickhouse: fresh.url, database: fresh.database })
  store = createStore(fresh)
  const plans = [...generatePlans({ plans: 40, days: 2, seed: 'parquet', until: Date.UTC(2026, 2, 4) })]
  const spans = plans.flatMap(({ service, spans: own }) =>
    own.map((span) => ({ ...toStoredSpan(span), serviceName: service })),
  )
  await insertStoredSpans(store.client, store.database, spans)
  await indexAll({ client: store.client, ...fresh })
})
afterAll(async () => {
  await store.close()
  await server.close()
  await fresh.drop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planspan-parquet-'))
})
afterEach(() => rm(folder, { recursive: true }))

const exported = (...args: string[]) =>
  runCli(['export', '--out', join(folder, 'rows.parquet'), '--endpoint', server.url, ...args])

/** The rows of the written file, read by a reader that is not part of ClickHouse. */
async function rowsOf(): Promise<Record<string, unknown>[]> {
  const { buffer, byteOffset, byteLength } = await readFile(join(folder, 'rows.parquet'))
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  return parquetReadObjects({ file, compressors })
}

async function count(sql: string): Promise<number> {
  const rows = await store.client.query({ query: sql, format: 'JSONEachRow' })
  const [row] = await rows.json<{ count: string }>()
  return Number(row?.count)
}

describe('planspan export --parquet', () => {
  it.each(PLAN_VIEWS)('writes all rows of %s, by their columns', async (view) => {
    expect(await exported('--parquet', view)).toMatchObject({ code: 0 })
    const rows = await rowsOf()
    expect(rows.length).toBe(await count(`SELECT count() AS count FROM ${fresh.database}.${view}`))
    expect(Object.keys(rows[0] ?? {})).toContain('TraceId')
  })

  it.each([
    ['a state', ['--state', 'failed'], `State = 'failed'`],
    ['a workflow', ['--workflow', 'trip'], `Workflow = 'trip'`],
    ['a dialect', ['--dialect', 'trajectory'], `Dialect = 'trajectory'`],
    ['a time', ['--since', '2026-03-03T12:00:00Z'], `Timestamp >= '2026-03-03 12:00:00'`],
  ])('for plans of %s writes the same rows as SQL finds', async (_, filters, condition) => {
    expect(await exported('--parquet', 'plans', ...filters)).toMatchObject({ code: 0 })
    const found = (await rowsOf()).filter(({ IsRoot }) => IsRoot).map(({ PlanId }) => PlanId)
    const sql = `SELECT count() AS count FROM ${fresh.database}.plans WHERE IsRoot AND ${condition}`
    expect([found.length, found.length > 0]).toEqual([await count(sql), true])
  })

  it('contains the rows of those plans, and nothing else', async () => {
    expect(await exported('--parquet', 'tool_calls', '--workflow', 'trip')).toMatchObject({ code: 0 })
    const sql = `SELECT count() AS count FROM ${fresh.database}.tool_calls WHERE TraceId IN (
      SELECT TraceId FROM ${fresh.database}.plans WHERE IsRoot AND Workflow = 'trip')`
    const rows = await rowsOf()
    expect([rows.length, rows.length > 0]).toEqual([await count(sql), true])
  })

  it.each([
    ['a view that there is not', ['--parquet', 'spans'], 1, 'There is no view "spans" of plans. Views are plannings,'],
    ['what belongs to records', ['--parquet', 'plans', '--exact'], 2, 'omit --exact'],
    ['an unknown filter', ['--parquet', 'plans', '--state', 'odd'], 2, 'odd'],
  ])('rejects %s', async (_, args, code, message) => {
    const refused = await exported(...args)
    expect(refused).toMatchObject({ code, err: expect.stringContaining(message) as string })
    expect(existsSync(join(folder, 'rows.parquet'))).toBe(false)
  })

  it('does not overwrite files', async () => {
    await exported('--parquet', 'plans')
    expect(await exported('--parquet', 'agents')).toMatchObject({ code: 2 })
    expect((await rowsOf()).length).toBe(await count(`SELECT count() AS count FROM ${fresh.database}.plans`))
  })

  it('leaves nothing of a file that breaks off', async () => {
    await using broken = await listenHttp((_, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.apache.parquet' })
      response.write('PAR1', () => response.destroy())
    })
    const args = ['export', '--parquet', 'plans', '--out', join(folder, 'rows.parquet'), '--endpoint', broken.url]
    const { code, err } = await runCli(args)
    expect(code).toBe(3)
    expect(err).toContain('Nothing was written to')
    expect([existsSync(join(folder, 'rows.parquet')), existsSync(join(folder, 'rows.parquet.part'))]).toEqual([
      false,
      false,
    ])
  })
})

it('every view of plans and their parts can be exported', () => {
  const views = readViews().filter(({ columns }) => columns.some(({ name }) => name === 'PlanId'))
  expect(PLAN_VIEWS.toSorted()).toEqual(views.map(({ name }) => name).toSorted())
})
