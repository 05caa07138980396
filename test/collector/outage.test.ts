import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { startClickHouse, type EmbeddedClickHouse } from '../../src/clickhouse/index.js'
import { startServer, type RunningServer } from '../../src/server/index.js'
import { execute } from '../support/clickhouse.js'
import { startCollector, type Collector } from './collector.js'
import { countWhole, makeRecords, sendAll } from './load.js'

// The minimum with which agent.yaml works.
const QUEUE_BYTES = 8_388_608

let dataDirectory: string
let clickhouse: EmbeddedClickHouse
let server: RunningServer
let collector: Collector

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'planspan-outage-'))
  clickhouse = await startClickHouse({ dataDirectory })
  server = await startServer({ clickhouse: clickhouse.url, port: 0 })
  collector = await startCollector({
    clickhouse: { ...clickhouse, database: server.database },
    env: { QUEUE_BYTES: String(QUEUE_BYTES) },
  })
})
afterEach(async () => {
  await collector.remove()
  await server.close()
  await clickhouse.stop()
  await rm(dataDirectory, { recursive: true })
})

/** The number of duplicate rows in the store. */
const repeats = async () =>
  Number(await execute(clickhouse.url, 'SELECT count() - uniqExact(TraceId, SpanId) FROM otel.otel_traces'))

/** The bytes in the queue. */
const queued = async () =>
  [...(await collector.metrics())].find(([name]) => /^otelcol_exporter_queue_size{.*data_type="traces"/.test(name))?.[1]

/** Runs a callback once, after the given number of acknowledgments. */
const once = (at: number, act: () => void) => (count: number) => {
  if (count === at) act()
}

describe('no acknowledged span is lost and no count is wrong', () => {
  it('when ClickHouse is killed under load and comes back', async () => {
    const records = makeRecords('plan', 150)
    await sendAll(
      collector.url,
      records,
      once(50, () => process.kill(clickhouse.pid, 'SIGKILL')),
    )
    expect(await countWhole(server, records)).toBe(records.length)
    expect(await repeats()).toBeGreaterThan(0)
  })

  it('when the collector is killed under load and comes back', async () => {
    const records = makeRecords('plan', 150)
    let restarted: Promise<void> | undefined
    await sendAll(
      collector.url,
      records,
      once(50, () => {
        restarted = collector.end('SIGKILL').then(() => collector.start())
      }),
    )
    await restarted
    expect(await countWhole(server, records)).toBe(records.length)
    expect(await repeats()).toBeGreaterThan(0)
  })

  it('when ClickHouse is down, and the collector is killed as well', async () => {
    const { httpPort, nativePort } = clickhouse
    await clickhouse.stop()
    const records = makeRecords('plan', 150)
    await sendAll(collector.url, records)
    await collector.end('SIGKILL')
    await collector.start()
    clickhouse = await startClickHouse({ dataDirectory, httpPort, nativePort })
    expect(await countWhole(server, records)).toBe(records.length)
    expect(await repeats()).toBeGreaterThan(0)
  })

  it('when ClickHouse is down until the queue is full: clients wait then, and get no acknowledgment', async () => {
    const { httpPort, nativePort } = clickhouse
    await clickhouse.stop()
    const records = makeRecords('plan', 60, 250_000)
    let acknowledged = 0
    const sending = sendAll(collector.url, records, (count) => (acknowledged = count))
    await vi.waitFor(async () => expect(await queued()).toBeGreaterThan(QUEUE_BYTES - 500_000), { timeout: 60_000 })
    expect(acknowledged).toBeLessThan(QUEUE_BYTES / 250_000)
    clickhouse = await startClickHouse({ dataDirectory, httpPort, nativePort })
    await sending
    expect(await countWhole(server, records)).toBe(records.length)
  })

  it('when the collector is stopped while ClickHouse is down', async () => {
    const { httpPort, nativePort } = clickhouse
    await clickhouse.stop()
    const records = makeRecords('plan', 100)
    await sendAll(collector.url, records)
    await collector.end('SIGTERM')
    clickhouse = await startClickHouse({ dataDirectory, httpPort, nativePort })
    await collector.start()
    expect(await countWhole(server, records)).toBe(records.length)
    expect(await repeats()).toBeGreaterThan(0)
  })
})
