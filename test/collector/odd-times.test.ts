import { expect, inject, it, onTestFinished, vi } from 'vitest'

import { createSpanSender } from '../../src/sender/index.js'
import { startServer } from '../../src/server/index.js'
import { execute, freshDatabase } from '../support/clickhouse.js'
import { anySpan } from '../support/any-tree.js'
import { startCollector } from './collector.js'

it('a collector drops exactly the spans that planspan’s receiver rejects', async () => {
  const fresh = await freshDatabase()
  const collector = await startCollector({
    configs: ['agent.yaml'],
    clickhouse: { ...fresh, nativePort: inject('clickhouseNativePort') },
  })
  const server = await startServer({ clickhouse: fresh.url, database: fresh.database, port: 0 })
  onTestFinished(async () => {
    await server.close()
    await collector.remove()
    await fresh.drop()
  })
  const now = Date.now()
  const days = [-3_700, -3_640, 0, 6, 8, 30_000].map((days) => BigInt(now + days * 86_400_000) * 1_000_000n)
  const spans = [0n, 86_400_000_000_000n, ...days].map((start, index) =>
    anySpan({ index, parent: -1, role: 'plan', planId: `plan-${index}`, start }),
  )
  await createSpanSender({ url: `${collector.url}/v1/traces` }).send(spans)
  const kept = async () => execute(fresh.url, `SELECT PlanId FROM ${fresh.database}.otel_traces ORDER BY PlanId`)
  // Each day of an insert is checked separately.
  const count = async () => (await kept()).trim().split('\n').length
  await vi.waitFor(async () => expect(await count()).toBeGreaterThanOrEqual(4), { timeout: 60_000, interval: 100 })
  const throughCollector = await kept()
  await execute(fresh.url, `TRUNCATE TABLE ${fresh.database}.otel_traces`)
  expect(await createSpanSender({ url: `${server.url}/v1/traces` }).send(spans)).toMatchObject({ rejected: 4 })
  expect(throughCollector).toBe(await kept())
})
