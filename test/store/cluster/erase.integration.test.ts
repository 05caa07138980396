import { afterAll, beforeAll, expect, it } from 'vitest'

import { createStore, type Store } from '../../../src/store/index.js'
import { execute } from '../../support/clickhouse.js'
import { startCluster, type Shards } from '../../support/cluster.js'
import { answeringWith } from '../../support/stored-texts.js'
import { insertSpans, planAttributes } from '../spans.js'

let shards: Shards
let store: Store

beforeAll(async () => {
  shards = await startCluster()
  store = createStore({ url: shards.url, database: shards.database, hosts: shards.shardUrls.join() })
}, 180_000)
afterAll(async () => {
  await store.close()
  await shards.drop()
})

const TRACES = Array.from({ length: 8 }, (_, at) => `trace-${String(at)}`)
const send = (planId: string, traces: readonly string[]) =>
  insertSpans(
    store.client,
    store.database,
    traces.map((traceId) => ({
      traceId: `${planId}-${traceId}`,
      spanId: `span of ${planId}`,
      attributes: planAttributes({ planId, state: 'completed' }),
    })),
  )
/** The tables of each host that contain a text. */
const holding = (text: string) =>
  Promise.all(shards.shardUrls.map((url) => answeringWith({ url, database: shards.database }, 'tables', text)))

it('erases a plan on every shard, and again after it is sent again', { timeout: 180_000 }, async () => {
  await send('other', TRACES)
  for (let round = 0; round < 2; round++) {
    await send('gone', TRACES)
    for (const tables of await holding('gone')) expect(tables).toEqual(expect.arrayContaining(['plan_keys_local']))
    expect((await store.erase('gone')).traceIds).toHaveLength(TRACES.length)
    expect(await holding('gone')).toEqual([[], []])
  }
  for (const tables of await holding('other')) expect(tables).toEqual(expect.arrayContaining(['plan_keys_local']))
})

it('requires the hosts if ClickHouse does not report their ports', async () => {
  const alone = createStore({ url: shards.url, database: shards.database })
  await send('unhosted', TRACES)
  await expect(alone.erase('unhosted')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('--hosts') as string,
  })
  await alone.close()
})

it('names the unavailable host, and completes the erasure when that host is back', { timeout: 180_000 }, async () => {
  await send('half', TRACES)
  await shards.stop(1)
  await expect(store.erase('half')).rejects.toMatchObject({ code: 'store_unreachable' })
  await shards.start(1)
  await store.erase('half')
  expect(await holding('half')).toEqual([[], []])
  expect(
    await execute(shards.url, `SELECT count() FROM ${shards.database}.plan_keys WHERE Key = sipHash64('half')`),
  ).toBe('0\n')
})
