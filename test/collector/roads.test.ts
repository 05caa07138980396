import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'

import { createStore, type Store } from '../../src/store/index.js'
import { createSpanSender } from '../../src/tracing/index.js'
import { encodeRecords } from '../../src/mapping/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { startCollector, type Collector } from './collector.js'
import { readFileSync } from 'node:fs'

let fresh: FreshDatabase
let store: Store
let collector: Collector

beforeAll(async () => {
  fresh = await freshDatabase()
  store = createStore(fresh)
  await store.migrate()
  collector = await startCollector({ clickhouse: { ...fresh, nativePort: inject('clickhouseNativePort') } })
})
afterAll(async () => {
  await collector.remove()
  await store.close()
  await fresh.drop()
})

it('a record goes through the collector into the store', async () => {
  const text = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url))
  const [record] = [...encodeRecords(text)]
  await createSpanSender({ url: `${collector.url}/v1/traces` }).send(record!.spans)
  await vi.waitFor(
    async () => expect(await store.reader.readTrace(record!.traceId)).toHaveLength(record!.spans.length),
    { timeout: 20_000 },
  )
})
