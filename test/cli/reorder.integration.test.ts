import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createStore, type Store } from '../../src/store/index.js'
import { fillSql, splitSql } from '../../src/store/sql-file.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { planSpans } from '../store/generated-plans.js'
import { insertStoredSpans } from '../store/spans.js'
import { MAIN, runCli, startServe } from './run-cli.js'

const COLLECTORS = new URL('../fixtures/collector-schema/generation-1.sql', import.meta.url)

let fresh: FreshDatabase
let store: Store

beforeEach(async () => {
  fresh = await freshDatabase()
  store = createStore(fresh)
  const sql = fillSql(readFileSync(COLLECTORS, 'utf8'), { database: fresh.database })
  for (const query of splitSql(sql)) await store.client.command({ query })
  await insertStoredSpans(store.client, fresh.database, planSpans().flat())
})

afterEach(async () => {
  await store.close()
  await fresh.drop()
})

const target = () => ['--clickhouse', fresh.url, '--database', fresh.database]
const reorder = () => runCli(['schema', '--reorder', ...target()])

async function read<Row>(query: string): Promise<Row[]> {
  const answer = await store.client.query({
    query: fillSql(query, { database: fresh.database }),
    format: 'JSONEachRow',
  })
  return answer.json<Row>()
}

const spans = () => read('SELECT TraceId, SpanId, Timestamp FROM ${database}.otel_traces ORDER BY ALL')
const tables = () =>
  read<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = '${fresh.database}' AND name LIKE 'otel_%reorder%'`,
  )

test('a reorder tells what it did, and doctor tells of the table until then', async () => {
  const serving = await startServe(target())
  const doctor = async () => (await runCli(['doctor', '--endpoint', serving.line.url])).out
  expect(await doctor()).toMatch(/^warn {2}.*order of a collector.* parts are older.*planspan schema --reorder/m)

  const { code, out, err } = await reorder()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /otel_traces is in today's order: [\d,]+ rows of \d days became [\d,]+, [\d.]+ MB became [\d.]+ MB, in /,
  )

  expect(await doctor()).not.toMatch(/order of a collector/)
  await serving.end('SIGTERM')
  expect(await reorder()).toMatchObject({ code: 0, out: expect.stringContaining('nothing to reorder') as string })
  const asJson = await runCli(['schema', '--reorder', '--json', ...target()])
  expect(JSON.parse(asJson.out)).toEqual({ table: `${fresh.database}.otel_traces`, reordered: null })
})

test('a reorder that is killed goes on when it is repeated', async () => {
  const before = await spans()
  const child = spawn(process.execPath, [MAIN, 'schema', '--reorder', ...target()], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await vi.waitUntil(async () => (await tables()).length > 0, { timeout: 30_000, interval: 5 })
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(await spans()).toEqual(before)

  expect(await reorder()).toMatchObject({ code: 0, err: '' })
  expect(await spans()).toEqual(before)
  expect(await tables()).toEqual([])
})

test('a reorder starts the embedded ClickHouse of a directory that nothing else has started', async () => {
  const data = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  expect(await runCli(['schema', '--reorder', '--data', data])).toMatchObject({
    code: 0,
    out: expect.stringContaining('nothing to reorder') as string,
  })
  rmSync(data, { recursive: true, force: true })
})
