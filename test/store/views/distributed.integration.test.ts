import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { viewDdl } from '../../../src/store/views/view-ddl.js'
import { readViews } from '../../../src/store/views/views.js'
import { startTestApp, type TestApp } from '../../server/test-app.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'

let server: TestApp
let cluster: FreshDatabase

const TABLES = ['otel_traces', 'otel_traces_trace_id_ts', 'plan_states', 'model_prices']

beforeAll(async () => {
  server = await startTestApp()
  cluster = await freshDatabase()
  const plans = generatePlans({ plans: 60, days: 1, seed: 'cluster', until: Date.UTC(2026, 2, 4, 12) })
  await server.send([...plans].flatMap(({ spans }) => spans))
  // Over two names of the one server: its native port stands for two shards, which have the same spans.
  const shards = `127.0.0.1:${String(inject('clickhouseNativePort'))},localhost:${String(inject('clickhouseNativePort'))}`
  const { username, password } = new URL(cluster.url)
  for (const table of TABLES) {
    await execute(
      cluster.url,
      `CREATE TABLE ${cluster.database}.${table}
       AS remote('${shards}', ${server.store.database}, ${table}, '${username}', '${decodeURIComponent(password)}')`,
    )
  }
  for (const view of readViews()) await execute(cluster.url, viewDdl(view, { database: cluster.database }))
})
afterAll(async () => {
  await server.close()
  await cluster.drop()
})

test.each(readViews().map(({ name }) => name))(
  '%s shows over Distributed tables what it shows on one server',
  async (name) => {
    const ask = (database: string) =>
      execute(cluster.url, `SELECT count(), sum(cityHash64(toString(tuple(*)))) FROM ${database}.${name}`)
    const own = await ask(server.store.database)
    expect(await ask(cluster.database)).toBe(own)
    expect(own.startsWith('0\t')).toBe(name === 'superseded_traces')
  },
)
