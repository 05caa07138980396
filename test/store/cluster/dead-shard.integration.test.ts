import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { StoredSpan } from '../../../src/semconv/index.js'
import { createStore, migrateCluster, type Store } from '../../../src/store/index.js'
import { collectSpans } from '../../../src/store/records/read-spans.js'
import { execute } from '../../support/clickhouse.js'
import { indexAll } from '../../support/index-all.js'
import { startCluster, startShards, type Shards } from '../../support/cluster.js'
import { agentAttributes, insertSpans, planAttributes } from '../spans.js'

let shards: Shards
let store: Store

afterEach(async () => {
  await store.close()
  await shards.drop()
})

const TRACES = Array.from({ length: 8 }, (_, at) => `trace-${String(at)}`)

async function insert(traces: readonly string[]): Promise<void> {
  await insertSpans(
    store.client,
    store.database,
    traces.flatMap((traceId) => [
      { traceId, spanId: 'p', attributes: planAttributes({ planId: `plan-${traceId}`, state: 'completed' }) },
      { traceId, spanId: 'a', parentSpanId: 'p', attributes: agentAttributes(`plan-${traceId}`) },
    ]),
  )
  await index()
}

/** Indexes the spans of each shard. */
async function index(): Promise<void> {
  const opened = shards.shardUrls.map((url) => createStore({ url, database: shards.database }))
  for (const [at, { client }] of opened.entries()) {
    await indexAll({ client, url: shards.shardUrls[at]!, database: shards.database })
  }
  await Promise.all(opened.map((one) => one.close()))
}

/** The reads of each trace: its spans, by its plan, in one query or two, with the spans near its agent, too. */
async function read(): Promise<Record<string, string[]>> {
  const found: [string, string[]][] = []
  for (const planId of TRACES.map((traceId) => `plan-${traceId}`)) {
    const traceId = (await store.reader.selectTrace(planId))?.traceId
    if (traceId === undefined) continue
    const spans = idsOf(await store.reader.readTrace(traceId))
    expect(idsOf(await collectSpans(store.reader.streamOnlyTrace(planId)))).toEqual(spans)
    expect(idsOf(await collectSpans(store.reader.streamRows([traceId], { rows: 'one', spanId: 'a' })))).toEqual(spans)
    // The outline of a short trace is empty.
    expect(await collectSpans(store.reader.streamRows([traceId], { rows: 'top' }))).toEqual([])
    found.push([traceId, spans])
  }
  return Object.fromEntries(found)
}

const idsOf = (spans: readonly StoredSpan[]): string[] => spans.map(({ spanId }) => spanId).toSorted()

const whole = (traces: readonly string[]) => Object.fromEntries(traces.map((traceId) => [traceId, ['a', 'p']]))

const addressOf = async (shard: number) =>
  `127.0.0.1:${(await execute(shards.shardUrls[shard]!, 'SELECT tcpPort()')).trim()}`

describe('while a shard is down', () => {
  beforeEach(async () => {
    // A user's own settings may make ClickHouse skip unavailable shards.
    shards = await startCluster({ skip_unavailable_shards: 1 })
    store = createStore(shards)
    await store.migrate()
  })

  it('a read fails and names the shard, and is complete when the shard is back', async () => {
    await insert(TRACES.slice(0, 6))
    expect(await read()).toEqual(whole(TRACES.slice(0, 6)))
    const address = await addressOf(1)
    await shards.stop(1)

    const unreachable = { code: 'store_unreachable', message: expect.stringContaining(address) as string }
    await expect(store.reader.listPlans()).rejects.toMatchObject(unreachable)
    await expect(store.reader.selectTrace('plan-trace-0')).rejects.toMatchObject(unreachable)
    for (const traceId of TRACES) {
      await expect(store.reader.readTrace(traceId)).rejects.toMatchObject(unreachable)
      const only = collectSpans(store.reader.streamOnlyTrace(`plan-${traceId}`))
      await expect(only).rejects.toMatchObject(unreachable)
    }
    await expect(insert(TRACES)).rejects.toThrow(address)

    await shards.start(1)
    expect(await read()).toEqual(whole(Object.keys(await read())))
    await insert(TRACES)
    expect(await read()).toEqual(whole(TRACES))
  })
})

describe('a host that is down during a migration', () => {
  it('is named, stops no other host, and gets the schema the next time', async () => {
    shards = await startShards(3)
    store = createStore({ url: shards.shardUrls[2]!, database: shards.database })
    const apply = () =>
      migrateCluster({ cluster: shards.name, database: shards.database, hosts: shards.shardUrls.join() })
    const { port } = new URL(shards.shardUrls[1]!)
    await shards.stop(1)
    const { hosts, differences } = await apply()
    expect(hosts.map(({ failure }) => failure?.code)).toEqual([undefined, 'store_unreachable', undefined])
    expect(hosts[1]!.failure?.message).toContain(`127.0.0.1:${port}`)
    expect(differences).toEqual([])
    await store.migrate()

    await shards.start(1)
    expect((await apply()).hosts.flatMap(({ failure }) => failure ?? [])).toEqual([])
    await insert(TRACES)
    expect(await read()).toEqual(whole(TRACES))
  })
})

describe('a trace', () => {
  it('is read whole whichever shards contain it, for example after a shard was added', async () => {
    shards = await startCluster()
    store = createStore(shards)
    const { database } = shards
    await insert(TRACES)
    // All on one shard, which differs from the sharding key's shard for some traces.
    await execute(
      shards.url,
      `INSERT INTO ${database}.otel_traces_local (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, ServiceName)
       SELECT Timestamp, TraceId, 'z', SpanId, 'late', ServiceName FROM ${database}.otel_traces WHERE SpanId = 'a'`,
    )
    expect(await read()).toEqual(Object.fromEntries(TRACES.map((traceId) => [traceId, ['a', 'p', 'z']])))
  })
})
