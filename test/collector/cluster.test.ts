import { credentials } from '@grpc/grpc-js'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { startClickHouse } from '../../src/clickhouse/index.js'
import { narrow } from '../../src/otlp/index.js'
import { createApp } from '../../src/server/index.js'
import { listen } from '../../src/server/listen.js'
import { createSpanWriter } from '../../src/store/ingest/index.js'
import { createStore } from '../../src/store/index.js'
import { execute } from '../support/clickhouse.js'
import { startCollector } from './collector.js'
import { CERTIFICATE, gatewayEnvironment, TOKEN } from './gateway-environment.js'
import { countWhole, makeRecords, requestOf } from './load.js'
import { grpcSender } from './send.js'

const TABLES = ['otel_traces', 'otel_traces_trace_id_ts', 'plan_keys', 'plan_states']

const finished = (end: () => Promise<unknown>) =>
  onTestFinished(async () => {
    await end()
  })

/** Two ClickHouse servers, each a shard, and on the first the database `cluster` of Distributed tables over both. */
async function startShards(directory: string) {
  const directories = [join(directory, 'shard-1'), join(directory, 'shard-2')] as const
  const first = await startClickHouse({ dataDirectory: directories[0] })
  finished(() => first.stop())
  // One user and password for both, as a cluster has it.
  await mkdir(directories[1])
  await copyFile(join(directories[0], 'credentials.json'), join(directories[1], 'credentials.json'))
  let second = await startClickHouse({ dataDirectory: directories[1] })
  finished(() => second.stop())
  for (const { url } of [first, second]) {
    const store = createStore({ url, database: 'shard' })
    await store.migrate()
    await store.close()
  }
  const { username, password } = new URL(first.url)
  const addresses = `127.0.0.1:${first.nativePort},127.0.0.1:${second.nativePort}`
  await execute(first.url, 'CREATE DATABASE cluster')
  for (const table of TABLES) {
    const shards = `remote('${addresses}', shard, ${table}, '${username}', '${password}', cityHash64(TraceId))`
    await execute(first.url, `CREATE TABLE cluster.${table} AS ${shards}`)
  }
  const { httpPort, nativePort } = second
  return {
    first,
    second: () => second,
    stopSecond: () => second.stop(),
    startSecond: async () => {
      second = await startClickHouse({ dataDirectory: directories[1], httpPort, nativePort })
    },
  }
}

it('two gateways and two shards: spans of one plan take any way, and a shard that is down loses none', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'planspan-cluster-'))
  finished(() => rm(directory, { recursive: true }))
  const shards = await startShards(directory)
  const env = await gatewayEnvironment(directory)
  const clickhouse = {
    ...shards.first,
    url: shards.first.url,
    nativePort: shards.first.nativePort,
    database: 'cluster',
  }
  const gateways = [
    await startCollector({ configs: ['gateway.yaml'], clickhouse, env }),
    await startCollector({ configs: ['gateway.yaml'], clickhouse, env }),
  ]
  for (const gateway of gateways) finished(() => gateway.remove())
  const senders = gateways.map(({ grpc }) =>
    grpcSender(grpc.replace('127.0.0.1', 'localhost'), {
      channel: credentials.createSsl(readFileSync(CERTIFICATE)),
      metadata: { authorization: `Bearer ${TOKEN}` },
    }),
  )
  for (const sender of senders) onTestFinished(() => sender.close())

  const store = createStore({ url: shards.first.url, database: 'cluster' })
  finished(() => store.close())
  const writer = createSpanWriter({ client: store.client, url: shards.first.url, database: 'cluster', narrow })
  finished(() => writer.close())
  const listener = await listen(createApp({ store, writer }).fetch, { port: 0, host: '127.0.0.1' })
  finished(() => listener.close(0))

  const records = makeRecords('sharded', 60)
  const send = async (part: typeof records) => {
    for (const { spans } of part) {
      await Promise.all(spans.map((span, index) => senders[index % 2]!.send(requestOf([span]))))
    }
  }
  await send(records.slice(0, 30))
  await shards.stopSecond()
  await send(records.slice(30))
  await shards.startSecond()
  expect(await countWhole({ url: `http://127.0.0.1:${listener.port}` }, records)).toBe(records.length)

  const traces = async (url: string) =>
    (await execute(url, 'SELECT DISTINCT TraceId FROM shard.otel_traces FORMAT TSV')).split('\n').filter(Boolean)
  const [one, two] = [await traces(shards.first.url), await traces(shards.second().url)]
  expect(one.length).toBeGreaterThan(0)
  expect(two.length).toBeGreaterThan(0)
  expect(one.filter((trace) => two.includes(trace))).toEqual([])
})
