import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import type { DashboardModel } from '../../dashboards/query/model.js'
import { runDashboard } from '../../dashboards/query/run-dashboard.js'
import { type DataSource, runQuery } from '../../dashboards/query/run-query.js'
import { DASHBOARDS } from '../../dashboards/src/index.js'
import { createStoreClient } from '../../src/store/index.js'
import { startTestApp, type TestApp } from '../server/test-app.js'
import { execute } from '../support/clickhouse.js'
import { startCluster, type Shards } from '../support/cluster.js'
import { indexAll } from '../support/index-all.js'
import { ALERT_RULES, atTime } from './alert-rules.js'
import { indexStored, richPlan, sendPlans } from './sample-plans.js'

const DAY = 86_400_000
const MINUTES = 60_000
const END = '2026-10-31 15:00:00'
const WEEK = { plans: 150, days: 7, seed: 'cluster', until: Date.parse(`${END}Z`) }
const range = { from: new Date('2024-01-01T00:00:00Z'), to: new Date(WEEK.until) }
const record = readFileSync(new URL('../fixtures/lynxe/legacy-details-running.json', import.meta.url))

const dashboards = Object.entries(DASHBOARDS).map(([name, dashboard]): [string, DashboardModel] => [
  name,
  JSON.parse(atTime(JSON.stringify(dashboard), END)),
])
let one: TestApp
let both: TestApp
let cluster: Shards
let plan: string
let ofOne: DataSource
let ofBoth: DataSource

beforeAll(async () => {
  one = await startTestApp()
  cluster = await startCluster()
  both = await startTestApp({}, cluster)
  for (const app of [one, both]) {
    await sendPlans(app, WEEK)
    // Only one of several generations of a record counts, whatever shards they are on.
    for (const timeZone of ['UTC', 'Europe/Oslo', 'America/Lima']) await app.importRecords(record, { timeZone })
  }
  await indexStored(one.store)
  for (const url of cluster.shardUrls) {
    await using client = createStoreClient({ url })
    await indexAll({ client, url, database: cluster.database })
  }
  plan = await richPlan(one)
  ofOne = { url: inject('clickhouseReaderUrl'), database: one.store.database }
  ofBoth = { url: cluster.readerUrl, database: cluster.database }
}, 5 * MINUTES)
afterAll(async () => {
  await one.close()
  await both.close()
})

/** Rows sorted regardless of ties, and numbers without the last digits, which depend on the order of a sum. */
function answer({ fields, length }: Awaited<ReturnType<typeof runQuery>>['frame']) {
  const plain = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)
  return {
    columns: fields.map(({ name, columnType, labels }) => ({ name, columnType, labels })),
    rows: Array.from({ length }, (_, row) => JSON.stringify(fields.map(({ values }) => plain(values[row])))).sort(),
  }
}

describe('a reader of a cluster of two shards sees the same as on one server', { timeout: 2 * MINUTES }, () => {
  test('each shard has its own plans', async () => {
    const traces = await Promise.all(
      cluster.shardUrls.map((url) =>
        execute(url, `SELECT DISTINCT TraceId FROM ${cluster.database}.otel_traces_local`),
      ),
    )
    const [first, second] = traces.map((text) => text.trim().split('\n')) as [string[], string[]]
    expect(Math.min(first.length, second.length)).toBeGreaterThan(10)
    expect(first.filter((trace) => second.includes(trace))).toEqual([])
    expect(await execute(cluster.url, `SELECT count() FROM ${cluster.database}.superseded_imports FINAL`)).toBe('2\n')
  })

  test.each(dashboards)('in every panel and variable of %s', async (_, dashboard) => {
    const runs = await Promise.all([ofOne, ofBoth].map((source) => runDashboard(source, dashboard, range, { plan })))
    const [own, shared] = runs.map(({ queries }) => queries.map(({ of, frame }) => ({ of, ...answer(frame) })))
    expect(shared).toEqual(own)
    expect(own!.filter(({ rows }) => rows.length === 0).map(({ of }) => of)).toEqual([])
  })

  test.each(ALERT_RULES)('in the alert "$title"', async ({ query }) => {
    const target = { refId: 'A', rawSql: atTime(query, END), format: 1 }
    const [own, shared] = await Promise.all(
      [ofOne, ofBoth].map((source) => runQuery(source, target, [], { range, intervalMs: DAY })),
    )
    expect(answer(shared!.frame)).toEqual(answer(own!.frame))
  })
})
