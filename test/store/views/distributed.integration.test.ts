import { afterAll, beforeAll, expect, test } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { toStoredSpan } from '../../../src/mapping/index.js'
import { createStoreClient } from '../../../src/store/index.js'
import { readViews } from '../../../src/store/views/views.js'
import { execute } from '../../support/clickhouse.js'
import { startCluster, type Shards } from '../../support/cluster.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertStoredSpans } from '../spans.js'

let server: FreshStore
let cluster: Shards

beforeAll(async () => {
  server = await freshStore()
  cluster = await startCluster()
  const plans = [...generatePlans({ plans: 60, days: 1, seed: 'cluster', until: Date.UTC(2026, 2, 4, 12) })]
  const spans = plans.flatMap(({ service, spans: own }) =>
    own.map((span) => ({ ...toStoredSpan(span), serviceName: service })),
  )
  const client = createStoreClient({ url: cluster.url })
  // Sent twice: a repeated row reaches the shard of the first.
  for (let time = 0; time < 2; time++) {
    await insertStoredSpans(server.store.client, server.store.database, spans)
    await insertStoredSpans(client, cluster.database, spans)
  }
  await client.close()
}, 60_000)
afterAll(async () => {
  await server.close()
  await cluster.drop()
})

test('each shard holds a part of the spans', async () => {
  const counts = await Promise.all(
    cluster.shardUrls.map((url) => execute(url, `SELECT count() FROM ${cluster.database}.otel_traces_local`)),
  )
  expect(counts.every((count) => Number(count) > 100)).toBe(true)
})

test.each(readViews().map(({ name }) => name))(
  '%s shows over Distributed tables what it shows on one server',
  async (name) => {
    const ask = (url: string, database: string) =>
      execute(url, `SELECT count(), sum(cityHash64(toString(tuple(*)))) FROM ${database}.${name}`)
    const own = await ask(server.fresh.url, server.store.database)
    expect(await ask(cluster.url, cluster.database)).toBe(own)
    expect(own.startsWith('0\t')).toBe(name === 'superseded_traces')
  },
)
