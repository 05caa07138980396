import { readdirSync, readFileSync } from 'node:fs'

import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { toStoredSpan } from '../../../src/mapping/index.js'
import { createStore, migrateCluster, type Store } from '../../../src/store/index.js'
import { fillSql, splitSql } from '../../../src/store/sql-file.js'
import { readViews } from '../../../src/store/views/views.js'
import { execute } from '../../support/clickhouse.js'
import { startShards, type Shards } from '../../support/cluster.js'
import { freshStore } from '../fresh-store.js'
import { insertStoredSpans } from '../spans.js'

const SCHEMAS = new URL('../../fixtures/schemas/cluster/', import.meta.url)
const FIRST = '2026-11-22.sql'
const PLANS = { plans: 12, days: 2, seed: 'upgrade', until: Date.UTC(2026, 2, 4) }

let shards: Shards
let store: Store
/** What one server of today answers. */
let expected: Record<string, unknown>

beforeAll(async () => {
  const made = await freshStore()
  await fill(made.store, 0)
  await fill(made.store, 1)
  expected = await answers(made.store)
  await made.close()
})
beforeEach(async () => {
  shards = await startShards()
  store = createStore(shards)
})
afterEach(async () => {
  await store.close()
  await shards.drop()
})

/** What a person applies to each server of a cluster that has no Keeper. */
const byHand = (sql: string): string =>
  fillSql(sql, { database: shards.database, cluster: shards.name })
    .replace(/ ON CLUSTER '\w+'/, '')
    .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, '$1(')
    .replace('replicated_deduplication_window', 'non_replicated_deduplication_window')

async function fill({ client, database }: Store, part: 0 | 1): Promise<void> {
  const plans = [...generatePlans(PLANS)].filter((_, at) => at % 2 === part)
  const spans = plans.flatMap(({ service, spans }) =>
    spans.map((span) => ({ ...toStoredSpan(span), serviceName: service })),
  )
  await insertStoredSpans(client, database, spans)
}

/** What each view shows, and the list of plans. */
async function answers({ client, database, reader }: Store): Promise<Record<string, unknown>> {
  const list: unknown = (await reader.listPlans({ limit: 100, now: BigInt(PLANS.until) * 1_000_000n })).plans
  const shown: [string, unknown][] = [['list', list]]
  for (const { name } of readViews()) {
    const query = `SELECT * FROM ${database}.${name} ORDER BY ALL`
    shown.push([name, await (await client.query({ query, format: 'JSONEachRow' })).json()])
  }
  return Object.fromEntries(shown)
}

/** Makes the tables of a schema of before on some hosts. */
async function startBefore(schema: string, urls: readonly string[]): Promise<void> {
  const statements = splitSql(readFileSync(new URL(schema, SCHEMAS), 'utf8')).map(byHand)
  for (const url of urls) for (const sql of statements) await execute(url, sql)
}

const apply = () => migrateCluster({ cluster: shards.name, database: shards.database, hosts: shards.shardUrls.join() })

const schemas = readdirSync(SCHEMAS)
it.each(schemas)(
  'a cluster made by hand as of %s is brought along with its spans, and answers as one server made today',
  async (schema) => {
    await startBefore(schema, shards.shardUrls)
    await fill(store, 0)
    await expect(store.migrate()).rejects.toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringMatching(/misses .*`planspan schema --cluster NAME --apply --database cluster /) as string,
    })

    // Two at once, on tables to be dropped and made anew.
    for (const { hosts, differences } of await Promise.all([apply(), apply()])) {
      expect(hosts.filter(({ failure }) => failure)).toEqual([])
      expect(differences).toEqual([])
    }
    await store.migrate()
    await fill(store, 1)

    expect(await answers(store)).toEqual(expected)
    for (const url of shards.shardUrls) {
      const held = await execute(url, `SELECT uniqExact(TraceId) > 1 FROM ${shards.database}.otel_traces_local`)
      expect(held).toBe('1\n')
      expect(await execute(url, `EXISTS ${shards.database}.listed_steps_mv`)).toBe('0\n')
    }
  },
  300_000,
)

it('a new host beside one that was brought along is told to be another, and both answer', async () => {
  const [first = '', second = ''] = shards.shardUrls
  await startBefore(FIRST, [first])
  const { hosts, differences } = await apply()
  expect(hosts.filter(({ failure }) => failure)).toEqual([])
  const told = differences.filter((line) => line.startsWith('otel_traces_local: '))
  expect(told).toEqual([
    expect.stringMatching(/ has MergeTree ORDER BY ServiceName.*; .* has ReplacingMergeTree ORDER BY/),
  ])
  await fill(store, 0)
  await fill(store, 1)
  expect(await execute(second, `SELECT count() > 9 FROM ${shards.database}.otel_traces_local`)).toBe('1\n')
  expect(await answers(store)).toEqual(expected)
}, 300_000)

it('the answers of one server tell something', () => {
  expect(Object.keys(expected).filter((name) => (expected[name] as unknown[]).length === 0)).toEqual([
    'superseded_traces',
  ])
})
