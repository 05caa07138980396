import type { ClickHouseClient } from '@clickhouse/client'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

import { Indexer } from '../../src/indexer/index.js'
import { freshStore, type FreshStore } from '../store/fresh-store.js'
import { insertSpans, planAttributes, type TestSpan } from '../store/spans.js'

let opened: FreshStore

beforeEach(async () => {
  opened = await freshStore()
})

afterEach(() => opened.close())

const plan = (n: number): TestSpan => ({
  traceId: String(n).repeat(32),
  spanId: '1'.padStart(16, '0'),
  attributes: planAttributes({ planId: `plan-${String(n)}`, state: 'completed' }),
})

const merge = () => opened.store.client.command({ query: `OPTIMIZE TABLE ${opened.fresh.database}.otel_traces FINAL` })

/** Returns the client of the store. It merges the parts of the span table after each read of fresh parts. */
const mergingClient = (): ClickHouseClient =>
  new Proxy(opened.store.client, {
    get(client, name: keyof ClickHouseClient) {
      if (name !== 'exec') return client[name]
      return async (request: Parameters<ClickHouseClient['exec']>[0]) => {
        const answer = await client.exec(request)
        if (request.query.includes('_block_number >')) await merge()
        return answer
      }
    },
  })

test('reads no row again when a part is merged after it was read', async () => {
  const { store, fresh } = opened
  const indexer = new Indexer({ target: { client: mergingClient(), url: fresh.url, database: fresh.database } })
  indexer.start()
  onTestFinished(() => indexer.close())
  for (const n of [1, 2, 3]) {
    await insertSpans(store.client, fresh.database, [plan(n)])
    await merge()
    expect(await indexer.catchUp()).toBe(true)
    expect(indexer.status.indexedRows).toBe(n)
  }
})
