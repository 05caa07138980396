import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'

import { startClickHouse } from '../../../src/clickhouse/index.js'
import { createStore } from '../../../src/store/index.js'
import { temporaryDirectory } from '../../clickhouse/temporary-directory.js'
import { answeringWith } from '../../support/stored-texts.js'
import { insertSpans, planAttributes } from '../spans.js'

const ROUNDS = 4

it('completes when it is repeated after ClickHouse was killed at any time', { timeout: 300_000 }, async () => {
  const clickhouse = await startClickHouse({ dataDirectory: temporaryDirectory() })
  onTestFinished(() => clickhouse.stop())
  const { url } = clickhouse
  const store = createStore({ url })
  onTestFinished(() => store.close())
  await store.migrate()
  const send = (planId: string) =>
    insertSpans(store.client, 'otel', [
      { traceId: `trace of ${planId}`, spanId: 'span', attributes: planAttributes({ planId, state: 'completed' }) },
    ])
  await send('kept')
  const begun = performance.now()
  await send('first')
  await store.erase('first')
  const took = performance.now() - begun
  for (let round = 0; round < ROUNDS; round++) {
    await send('killed')
    const erased = store.erase('killed').catch((error: unknown) => error)
    await delay((took * (round + Math.random())) / ROUNDS)
    process.kill(clickhouse.pid, 'SIGKILL')
    await erased
    const again = () =>
      store.erase('killed').catch((error: { code: string }) => {
        if (error.code !== 'not_found') throw error
      })
    await vi.waitFor(again, { timeout: 60_000, interval: 200 })
    expect(await answeringWith({ url, database: 'otel' }, 'tables', 'killed')).toEqual([])
  }
  expect(await answeringWith({ url, database: 'otel' }, 'tables', 'kept')).toContain('plan_keys')
})
