import { readFileSync } from 'node:fs'
import { expect, inject, it, onTestFinished, vi } from 'vitest'

import { encodeRecords, type EncodedRecord } from '../../src/mapping/index.js'
import { startServer } from '../../src/server/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { execute, freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { startCollector, type Collector } from './collector.js'
import { readRecord } from './two-roads.js'

const file = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url))
const recordFrom = (source: string): EncodedRecord => [...encodeRecords(file, { source })][0]!

async function freshStart(configs: readonly string[]): Promise<{ fresh: FreshDatabase; collector: Collector }> {
  const fresh = await freshDatabase()
  const collector = await startCollector({
    configs,
    clickhouse: { ...fresh, nativePort: inject('clickhouseNativePort') },
  })
  onTestFinished(async () => {
    await collector.remove()
    await fresh.drop()
  })
  return { fresh, collector }
}

const send = (url: string, { spans }: EncodedRecord) => createSpanSender({ url: `${url}/v1/traces` }).send(spans)

it('planspan adopts the tables that a collector created, with their spans and later ones', async () => {
  const { fresh, collector } = await freshStart(['agent.yaml', 'yaml:exporters::clickhouse::create_schema: true'])
  const before = recordFrom('before planspan')
  await send(collector.url, before)
  await vi.waitFor(
    async () =>
      expect(await execute(fresh.url, `SELECT count() FROM ${fresh.database}.otel_traces`)).toBe(
        `${before.spans.length}\n`,
      ),
    { timeout: 60_000, interval: 100 },
  )

  const server = await startServer({ clickhouse: fresh.url, database: fresh.database, port: 0 })
  const read = ({ planId, source, traceId }: EncodedRecord) => readRecord(server, planId, { source, trace: traceId })
  const whole = ({ text }: EncodedRecord) => ({ status: 200, verdict: 'complete', text })
  expect(await read(before)).toMatchObject(whole(before))

  const direct = recordFrom('through planspan')
  await send(server.url, direct)
  expect(await read(direct)).toMatchObject(whole(direct))

  const after = recordFrom('through the collector')
  await send(collector.url, after)
  await vi.waitFor(async () => expect(await read(after)).toMatchObject(whole(after)), {
    timeout: 60_000,
    interval: 100,
  })
  await server.close()
})

it('spans that arrive before planspan has created its tables wait for them', async () => {
  const { fresh, collector } = await freshStart(['agent.yaml'])
  const early = recordFrom('early')
  await send(collector.url, early)
  await vi.waitFor(() => expect(collector.log()).toContain('Exporting failed. Will retry'), { timeout: 60_000 })
  const server = await startServer({ clickhouse: fresh.url, database: fresh.database, port: 0 })
  onTestFinished(() => server.close())
  const { planId, traceId, source, text } = early
  await vi.waitFor(
    async () =>
      expect(await readRecord(server, planId, { source, trace: traceId })).toMatchObject({ status: 200, text }),
    { timeout: 60_000, interval: 200 },
  )
})
