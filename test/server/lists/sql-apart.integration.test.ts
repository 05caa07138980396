import { createClient } from '@clickhouse/client'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { createSpanSender } from '../../../src/sender/index.js'
import { startServer, type RunningServer } from '../../../src/server/index.js'
import type { Problem, SqlAnswer } from '../../../src/wire/index.js'

let dataDirectory: string
let server: RunningServer

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'planspan-sql-'))
  server = await startServer({ dataDirectory, port: 0 })
}, 60_000)
afterAll(async () => {
  await server.close()
  rmSync(dataDirectory, { recursive: true, force: true })
})

const post = (sql: string, signal?: AbortSignal) =>
  fetch(`${server.url}/api/sql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
    ...(signal && { signal }),
  })
const firstRow = async (sql: string): Promise<readonly unknown[] | undefined> => {
  const answer = await post(sql)
  if (answer.status !== 200) throw new Error(await answer.text())
  return ((await answer.json()) as SqlAnswer).rows[0]
}

const sender = () => createSpanSender({ url: `${server.url}/v1/traces` })
async function send(seed: string): Promise<void> {
  for (const { spans } of generatePlans({ plans: 3, days: 2, seed, until: Date.UTC(2026, 2, 4) })) {
    await sender().send(spans)
  }
}

const COUNTS =
  'SELECT (SELECT count() FROM otel_traces), (SELECT count() FROM plans), (SELECT sum(CostUsd) FROM model_calls)'

/** Runs statements as the owner of the tables. */
async function asOwner(query: string): Promise<void> {
  const client = createClient({ url: server.clickhouseUrl, database: server.database })
  await client.command({ query })
  await client.close()
}

/** The process ids and priorities of the engines apart. */
const enginesApart = (): string[] =>
  execFileSync('ps', ['-eo', 'pid,ni,args'])
    .toString()
    .split('\n')
    .filter((line) => line.includes(join(dataDirectory, 'reading-')))
    .map((line) => line.trim().split(/\s+/).slice(0, 2).join(' '))

/** One block of it takes minutes, and ClickHouse looks at time limits between blocks. */
const ENDLESS = `SELECT max(levenshteinDistance(repeat('a', 60000 + number), repeat('b', 60000))) FROM numbers(1000)`

describe('SQL of readers', { timeout: 120_000 }, () => {
  test('reads what was acknowledged, what was merged and what was erased since the query before', async () => {
    await send('one')
    const [spans, plans, cost] = (await firstRow(COUNTS)) ?? []
    expect(Number(spans)).toBeGreaterThan(10)
    await send('two')
    const [moreSpans, morePlans, moreCost] = (await firstRow(COUNTS)) ?? []
    expect(Number(moreSpans)).toBeGreaterThan(Number(spans))
    expect(Number(morePlans)).toBeGreaterThan(Number(plans))
    expect(Number(moreCost)).toBeGreaterThan(Number(cost))
    await asOwner('OPTIMIZE TABLE otel_traces FINAL')
    expect(await firstRow(COUNTS)).toEqual([moreSpans, morePlans, moreCost])
    const [id] = (await firstRow('SELECT PlanId FROM plans WHERE IsRoot LIMIT 1')) ?? []
    const path = `${server.url}/api/records/${String(id)}?running=true&together=true`
    expect((await fetch(path, { method: 'DELETE' })).status).toBe(204)
    expect(await firstRow(`SELECT count() FROM plans WHERE PlanId = '${String(id)}'`)).toEqual(['0'])
  })

  test('reads a table that was created since', async () => {
    await asOwner('CREATE TABLE notes ENGINE = MergeTree ORDER BY n AS SELECT 7 AS n')
    expect(await firstRow('SELECT n FROM notes')).toEqual([7])
  })

  test('runs at the lowest priority, in the engines of the queries before, and changes nothing', async () => {
    await firstRow('SELECT 1')
    const engines = enginesApart()
    for (const engine of engines) expect(engine).toMatch(/^\d+ 19$/)
    for (const sql of ['SELECT 1', 'INSERT INTO notes VALUES (1)', 'TRUNCATE TABLE notes', 'DROP TABLE notes']) {
      expect([sql, (await post(sql)).status]).toEqual([sql, sql === 'SELECT 1' ? 200 : 403])
    }
    expect(enginesApart()).toEqual(engines)
  })

  test('is ended when ClickHouse does not end it, while others are answered', async () => {
    const attack = post(ENDLESS)
    expect(await firstRow('SELECT count() > 0 FROM plans')).toEqual([1])
    const answer = await attack
    expect([answer.status, ((await answer.json()) as Problem).detail]).toEqual([
      400,
      expect.stringMatching(/^The query took longer than 10 seconds and was canceled/),
    ])
    await expect.poll(async () => firstRow('SELECT count() > 0 FROM plans'), { timeout: 10_000 }).toEqual([1])
  })

  test('is ended when its client has gone', async () => {
    const gone = new AbortController()
    const attacks = [post(ENDLESS, gone.signal), post(ENDLESS, gone.signal)]
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    gone.abort()
    await Promise.allSettled(attacks)
    await expect.poll(async () => (await post('SELECT 1')).status, { timeout: 5_000 }).toBe(200)
  })
})
