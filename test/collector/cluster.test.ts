import { credentials } from '@grpc/grpc-js'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { createApp, openStore } from '../../src/server/index.js'
import { listen } from '../../src/server/http/listen.js'
import { execute } from '../support/clickhouse.js'
import { startCluster } from '../support/cluster.js'
import { startCollector } from './collector.js'
import { CERTIFICATE, gatewayEnvironment, TOKEN } from './gateway-environment.js'
import { countWhole, makeRecords, requestOf } from './load.js'
import { grpcSender } from './send.js'

const finished = (end: () => Promise<unknown>) =>
  onTestFinished(async () => {
    await end()
  })

it('two gateways and two shards store spans of one plan on any route, and a shard that is down loses none', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'planspan-cluster-'))
  finished(() => rm(directory, { recursive: true }))
  const shards = await startCluster()
  finished(() => shards.drop())
  const env = await gatewayEnvironment(directory)
  const nativePort = Number(await execute(shards.url, 'SELECT tcpPort()'))
  const clickhouse = { url: shards.url, nativePort, database: shards.database }
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

  const { url, database, shardUrls } = shards
  const opened = await openStore({ clickhouseUrl: url, database, hosts: shardUrls.join() })
  finished(() => opened.close())
  const listener = await listen(createApp(opened).fetch, { port: 0, host: '127.0.0.1' })
  finished(() => listener.close(AbortSignal.abort()))

  const records = makeRecords('sharded', 60)
  const send = async (part: typeof records) => {
    for (const { spans } of part) {
      await Promise.all(spans.map((span, index) => senders[index % 2]!.send(requestOf([span]))))
    }
  }
  await send(records.slice(0, 30))
  await shards.stop(1)
  await send(records.slice(30))
  await shards.start(1)
  expect(await countWhole({ url: `http://127.0.0.1:${listener.port}` }, records)).toBe(records.length)

  const traces = async (url: string) =>
    (await execute(url, `SELECT DISTINCT TraceId FROM ${shards.database}.otel_traces_local`))
      .split('\n')
      .filter(Boolean)
  const [one = [], two = []] = await Promise.all(shards.shardUrls.map(traces))
  expect(one.length).toBeGreaterThan(0)
  expect(two.length).toBeGreaterThan(0)
  expect(one.filter((trace) => two.includes(trace))).toEqual([])
})
