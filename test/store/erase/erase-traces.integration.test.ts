import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { keptTables } from '../../../src/store/schema/layout.js'
import { readMigrations } from '../../../src/store/schema/migrations.js'
import { DEDUPLICATION_WINDOW } from '../../../src/store/erase/erase-traces.js'
import { execute } from '../../support/clickhouse.js'
import { answeringWith, filesHolding } from '../../support/stored-texts.js'
import { encode, makeRequest, makeSpan } from '../ingest/sample-spans.js'
import { planAttributes } from '../spans.js'
import { openTraceStore, traceId, type TraceStore } from '../trace-store.js'

let opened: TraceStore
beforeEach(async () => {
  opened = await openTraceStore()
})
afterEach(() => opened.close())

const plan = (name: string) => ({
  traceId: name,
  spanId: `span of ${name}`,
  name: `operation of ${name}`,
  attributes: planAttributes({ planId: `plan-${name}`, title: `title of ${name}`, state: 'completed' }),
})
const run = (sql: string) => execute(opened.fresh.url, sql)
const holding = (...texts: string[]) => answeringWith(opened.fresh, 'tables', ...texts)

describe('an erasure', { timeout: 180_000 }, () => {
  it('leaves nothing of a plan in the files on disk', async () => {
    const { database } = opened.fresh
    await opened.insert([plan('secret'), plan('other')])
    for (const { table } of keptTables(readMigrations())) {
      await run(`ALTER TABLE ${database}.${table} MODIFY SETTING old_parts_lifetime = 1`)
    }
    expect(await filesHolding(opened.fresh, 'title of secret')).not.toEqual([])
    await opened.store.erase('plan-secret')
    await vi.waitUntil(
      async () => {
        const texts = ['title of secret', 'plan-secret', 'operation of secret']
        return (await Promise.all(texts.map((text) => filesHolding(opened.fresh, text)))).flat().length === 0
      },
      { timeout: 120_000, interval: 500 },
    )
    expect(await filesHolding(opened.fresh, 'title of other')).not.toEqual([])
  })

  it('completes after an erasure that was interrupted after any of its tables', async () => {
    const { database } = opened.fresh
    const traced = keptTables(readMigrations()).filter(({ isOfTraces }) => isOfTraces)
    await opened.insert([plan('other')])
    for (const { table } of traced) {
      await opened.insert([plan('cut')])
      // The erasure finds the trace through the last table.
      if (table !== 'plan_keys') {
        await run(
          `ALTER TABLE ${database}.${table} DELETE WHERE TraceId = '${traceId('cut')}' SETTINGS mutations_sync = 1`,
        )
      }
      expect(await opened.store.erase('plan-cut')).toEqual({ traceIds: [traceId('cut')] })
      expect(await holding('plan-cut', 'operation of cut')).toEqual([])
    }
    await expect(opened.store.erase('plan-cut')).rejects.toMatchObject({ code: 'not_found' })
    expect(await holding('plan-other')).toContain('plan_keys')
  })

  it('loses no concurrently inserted spans', async () => {
    await opened.insert([plan('gone')])
    const erasing = opened.store.erase('plan-gone')
    const names = Array.from({ length: 10 }, (_, at) => `kept-${String(at)}`)
    for (const name of names) await opened.insert([plan(name)])
    await erasing
    const { plans } = await opened.store.reader.listPlans()
    expect(plans.map(({ planId }) => planId).toSorted()).toEqual(names.map((name) => `plan-${name}`))
    for (const name of names) expect(await opened.store.reader.readTrace(traceId(name))).toHaveLength(1)
  })

  it('leaves the tables as they were created', async () => {
    const settings = () =>
      run(`SELECT name, engine_full FROM system.tables WHERE database = '${opened.fresh.database}' ORDER BY name`)
    const before = await settings()
    const windows = new Set(before.match(/(?<=deduplication_window = )\d+/g))
    expect(windows).toEqual(new Set(['0', String(DEDUPLICATION_WINDOW)]))
    await opened.insert([plan('gone')])
    await opened.store.erase('plan-gone')
    expect(await settings()).toBe(before)
  })

  it.each(['protobuf', 'json'] as const)(
    'waits until the journal has released its spans, sent as %s',
    async (encoding) => {
      const { database } = opened.fresh
      await opened.insert([plan('sent')])
      const request = encode(encoding, makeRequest([makeSpan(1, { traceId: traceId('sent') })]))
      await run(
        `INSERT INTO ${database}.otlp_journal (Segment, Encoding, SpanCount, Body)
       VALUES ('of-another', '${encoding}', 1, unhex('${Buffer.from(request).toString('hex')}'))`,
      )
      let isErased = false
      const erasing = opened.store.erase('plan-sent').then(() => {
        isErased = true
      })
      await opened.insert([plan('meanwhile')])
      expect([isErased, await holding('plan-sent')]).toEqual([false, expect.arrayContaining(['otel_traces'])])
      await run(`ALTER TABLE ${database}.otlp_journal DROP PARTITION 'of-another'`)
      await erasing
      expect(await holding('plan-sent')).toEqual([])
    },
  )
})
