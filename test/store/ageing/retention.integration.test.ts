import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createStore, createStoreClient } from '../../../src/store/index.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { insertSpans, NOON } from '../spans.js'
import { DAY } from '../trace-store.js'

let fresh: FreshDatabase
beforeEach(async () => {
  fresh = await freshDatabase()
})
afterEach(() => fresh.drop())

const run = (sql: string) => execute(fresh.url, sql.replaceAll('$', `${fresh.database}.`))
const spansLeft = async () => Number(await run('SELECT count() FROM $otel_traces'))

/** The steps of `planspan serve` at its start. */
async function serve(retentionDays?: number): Promise<void> {
  const store = createStore({ ...fresh, ...(retentionDays === undefined ? {} : { retentionDays }) })
  try {
    await store.migrate()
  } finally {
    await store.close()
  }
}

/** A span of the given age in days. */
async function insertSpan(daysOld: number): Promise<void> {
  const client = createStoreClient(fresh)
  const start = Date.now() - NOON - daysOld * DAY
  await insertSpans(client, fresh.database, [{ traceId: 't', spanId: String(daysOld), start }])
  await client.close()
}

/** Forces the expiry, which ClickHouse otherwise runs only every few hours. */
const lookForExpired = () => run('ALTER TABLE $otel_traces MODIFY SETTING merge_with_ttl_timeout = 0')

describe('a retention', () => {
  it('also drops the spans that were stored before it', async () => {
    await serve()
    await insertSpan(60)
    await insertSpan(1)
    await serve(30)
    await lookForExpired()
    await vi.waitFor(async () => expect(await spansLeft()).toBe(1), { timeout: 30_000 })
  })

  it.each([
    ['is raised', [30, 100]],
    ['was taken away and comes back longer', [30, undefined, 100]],
  ])('that %s drops nothing that the shorter one would have dropped', async (_how, retentions) => {
    await serve(retentions[0])
    await run('SYSTEM STOP TTL MERGES $otel_traces')
    await insertSpan(60)
    for (const retentionDays of retentions.slice(1)) await serve(retentionDays)
    await run('SYSTEM START TTL MERGES $otel_traces')
    await run('OPTIMIZE TABLE $otel_traces FINAL')
    expect(await spansLeft()).toBe(1)
  })

  it('that is set again changes nothing', async () => {
    await serve(30)
    await insertSpan(1)
    const parts = () => run(`SELECT name FROM system.parts WHERE database = '${fresh.database}' ORDER BY name`)
    const before = await parts()
    await serve(30)
    expect(await parts()).toBe(before)
  })

  it('that an older version set, which kept the existing spans, drops these, too', async () => {
    await serve()
    await insertSpan(60)
    await run('SYSTEM STOP TTL MERGES $otel_traces')
    await run(`ALTER TABLE $plan_keys MODIFY TTL toDateTime(End) + toIntervalDay(37)`)
    await run(`ALTER TABLE $otel_traces MODIFY TTL toDateTime(Timestamp) + toIntervalDay(30)
               SETTINGS materialize_ttl_after_modify = 0`)
    await serve(30)
    await lookForExpired()
    await vi.waitFor(async () => expect(await spansLeft()).toBe(0), { timeout: 30_000 })
  })

  it('rewrites no span when it changes', async () => {
    await serve(30)
    await run('ALTER TABLE $otel_traces MODIFY SETTING min_bytes_for_wide_part = 0')
    await insertSpan(1)
    const before = await attributesFile()
    await serve(60)
    expect(await attributesFile()).toEqual(before)
  })
})

/** The file with the attributes of all spans, and the part that contains it. */
async function attributesFile(): Promise<bigint> {
  const path = await run(
    `SELECT path FROM system.parts WHERE database = '${fresh.database}' AND table = 'otel_traces' AND active`,
  )
  const file = readdirSync(path.trim()).find((name) => name.startsWith('SpanName') && name.endsWith('.bin'))
  return statSync(join(path.trim(), file ?? ''), { bigint: true }).ino
}
