import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { createStore, type Store } from '../../src/store/index.js'
import { fillSql, splitSql } from '../../src/store/client/sql-file.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { indexAll } from '../support/index-all.js'
import { agentAttributes, insertSpans, NOON, planAttributes } from './spans.js'

let fresh: FreshDatabase
let store: Store
let database: string

beforeEach(async () => {
  fresh = await freshDatabase()
  database = fresh.database
  store = createStore({ ...fresh, indexed: () => indexAll({ client: store.client, ...fresh }) })
})

afterEach(async () => {
  await store.close()
  await fresh.drop()
})

const command = (query: string) => store.client.command({ query })

async function rows<T>(query: string): Promise<T[]> {
  return (await store.client.query({ query, format: 'JSONEachRow' })).json<T>()
}

const tables = () => rows(`SELECT name, uuid FROM system.tables WHERE database = '${database}' ORDER BY name`)

async function collectorMakes(generation: 1 | 2): Promise<void> {
  const file = new URL(`../fixtures/collector-schema/generation-${String(generation)}.sql`, import.meta.url)
  for (const statement of splitSql(readFileSync(file, 'utf8'))) await command(fillSql(statement, { database }))
}

const DAY = 86_400_000

/** A plan of two spans on two days. */
const insertPlan = (planId: string, traceId: string) =>
  insertSpans(store.client, database, [
    { traceId, spanId: 'p', duration: DAY + 1, attributes: planAttributes({ planId, state: 'completed' }) },
    { traceId, spanId: 'a', parentSpanId: 'p', start: DAY, attributes: agentAttributes(planId) },
  ])

/** The rows of such a plan in the lookup tables. */
async function found(planId: string): Promise<unknown> {
  const [traceId = ''] = await store.reader.findTraces({ kind: 'step', key: `step-${planId}` })
  await indexAll({ client: store.client, ...fresh })
  const { plans } = await store.reader.listPlans()
  return {
    traceId,
    selected: (await store.reader.selectTrace(planId))?.traceId,
    spans: (await store.reader.readTrace(traceId)).map(({ spanId }) => spanId).sort(),
    listed: plans
      .filter((plan) => plan.planId === planId)
      .map(({ traceId, spans, state }) => ({ traceId, spans, state })),
  }
}

const whole = (traceId: string) => ({
  traceId,
  selected: traceId,
  spans: ['a', 'p'],
  listed: [{ traceId, spans: 2, state: 'completed' }],
})

describe('migrate', () => {
  it('creates the database and all tables, and changes nothing the second time', async () => {
    await fresh.drop()
    await store.migrate()
    const made = await tables()
    await store.migrate()
    expect(await tables()).toEqual(made)
    await insertPlan('p', 't')
    expect(await found('p')).toEqual(whole('t'))
  })

  it.each([1, 2] as const)('adopts tables of the collector’s generation %i with their spans', async (generation) => {
    await collectorMakes(generation)
    await insertPlan('before', 't1')
    const [{ key } = { key: '' }] = await rows<{ key: string }>(
      `SELECT sorting_key AS key FROM system.tables WHERE database = '${database}' AND name = 'otel_traces'`,
    )
    await store.migrate()
    await indexAll({ client: store.client, ...fresh })
    expect(await store.traces.operations('shop')).toEqual([{ name: 'span', kind: 'Internal' }])
    await insertPlan('after', 't2')
    expect(await found('before')).toEqual(whole('t1'))
    expect(await found('after')).toEqual(whole('t2'))
    expect(
      await rows(`SELECT name, sorting_key AS key, engine_full LIKE '%non_replicated_deduplication_window = 10000%' AS window
                  FROM system.tables WHERE database = '${database}' AND name = 'otel_traces'`),
    ).toEqual([{ name: 'otel_traces', key, window: 1 }])
    await command(`OPTIMIZE TABLE ${database}.otel_traces_trace_id_ts FINAL`)
    expect(await rows(`SELECT TraceId FROM ${database}.otel_traces_trace_id_ts WHERE TraceId = 't1'`)).toHaveLength(1)
  })

  it('keeps the expiry that a collector set', async () => {
    await collectorMakes(1)
    await store.migrate()
    expect((await expiries())['otel_traces']).toBe('toDateTime(Timestamp) + toIntervalHour(87600)')
  })

  it.each([
    ['an empty database', undefined],
    ['a collector’s tables with spans', 2],
  ] as const)('ends well when several processes migrate %s at once', async (_what, generation) => {
    if (generation) await collectorMakes(generation)
    if (generation) await insertPlan('p', 't')
    const others = Array.from({ length: 4 }, () => createStore(fresh))
    try {
      await Promise.all(others.map((other) => other.migrate()))
    } finally {
      await Promise.all(others.map((other) => other.close()))
    }
    if (!generation) await insertPlan('p', 't')
    expect(await found('p')).toEqual(whole('t'))
    await store.migrate()
  })

  it('resumes an interrupted migration', async () => {
    await collectorMakes(1)
    await insertPlan('p', 't')
    await store.migrate()
    await command(`TRUNCATE TABLE ${database}.plan_keys`)
    await command(`ALTER TABLE ${database}.planspan_migrations DELETE WHERE true SETTINGS mutations_sync = 1`)
    await store.migrate()
    expect(await found('p')).toEqual(whole('t'))
  })

  it('rejects a database with a newer schema, and names the version', async () => {
    await store.migrate()
    await command(`INSERT INTO ${database}.planspan_migrations (Version, Checksum) VALUES (9, 'x')`)
    await expect(store.migrate()).rejects.toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringContaining(`The database ${database} has version 9 of the schema`) as string,
    })
  })

  it.each([
    [
      'other notes',
      'CREATE TABLE ${database}.planspan_migrations (Id String, Checksum String) ENGINE = MergeTree ORDER BY Id',
    ],
    [
      'tables without notes',
      'CREATE TABLE ${database}.plan_states (TraceId String) ENGINE = MergeTree ORDER BY TraceId',
    ],
    [
      'another version 1',
      "CREATE TABLE ${database}.planspan_migrations ENGINE = MergeTree ORDER BY Version AS SELECT 1 AS Version, 'x' AS Checksum",
    ],
  ])('rejects a development build’s database, by %s, and explains how to move its plans', async (_by, made) => {
    await command(fillSql(made, { database }))
    const before = await tables()
    await expect(store.migrate()).rejects.toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringMatching(/created by a development build.*`planspan export`.*`planspan import`/) as string,
    })
    expect(await tables()).toEqual(before)
  })

  it.each([
    ['MODIFY COLUMN SpanAttributes Map(String, String)', /SpanAttributes as Map\(String, String\)/],
    ['DROP COLUMN StatusMessage', /no column StatusMessage/],
  ])('rejects a span table after %s, and names the column', async (change, message) => {
    await collectorMakes(1)
    await command(`ALTER TABLE ${database}.otel_traces DROP INDEX idx_span_attr_key, DROP INDEX idx_span_attr_value`)
    await command(`ALTER TABLE ${database}.otel_traces ${change}`)
    await expect(store.migrate()).rejects.toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringMatching(message) as string,
    })
  })

  it('rejects a database name that contains more than a name', () => {
    expect(() => createStore({ url: fresh.url, database: 'a; DROP DATABASE b' })).toThrow(/not a valid database name/)
  })

  it('writes each span’s lookup rows once when a batch arrives twice with the same token', async () => {
    await store.migrate()
    const attributes = { ...planAttributes({ planId: 'p', state: 'completed' }), [ATTR.conversationId]: 'c' }
    const insert = () =>
      store.client.command({
        query: `INSERT INTO ${database}.otel_traces (Timestamp, TraceId, SpanId, SpanAttributes)
                SELECT fromUnixTimestamp64Milli(toInt64({noon:Int64})), 't', 'p', CAST({attributes:Map(String, String)}, 'Map(LowCardinality(String), String)')`,
        query_params: { noon: NOON, attributes: new Map(Object.entries(attributes)) },
        clickhouse_settings: {
          insert_deduplication_token: 'batch',
          deduplicate_blocks_in_dependent_materialized_views: 1,
        },
      })
    for (const table of ['otel_traces', 'otel_traces_trace_id_ts', 'plan_keys']) {
      await command(`SYSTEM STOP MERGES ${database}.${table}`)
    }
    await insert()
    await insert()
    const counts = await rows<Record<string, string>>(
      `SELECT (SELECT count() FROM ${database}.otel_traces) AS spans,
              (SELECT count() FROM ${database}.otel_traces_trace_id_ts) AS windows,
              (SELECT count() FROM ${database}.plan_keys) AS keys`,
    )
    expect(counts.map((row) => Object.values(row).map(Number))).toEqual([[1, 1, 2]])
  })
})

async function expiries(): Promise<Record<string, string>> {
  const found = await rows<{ name: string; ttl: string }>(
    `SELECT name, extract(engine_full, ' TTL (.+?) SETTINGS') AS ttl FROM system.tables WHERE database = '${database}'`,
  )
  return Object.fromEntries(found.filter(({ ttl }) => ttl !== '').map(({ name, ttl }) => [name, ttl]))
}

describe('retention', () => {
  it('expires spans after the given days, lookups a week later, and nothing after the option is removed', async () => {
    const retaining = createStore({ ...fresh, retentionDays: 30 })
    await retaining.migrate()
    await retaining.close()
    const lookup = 'toDateTime(End) + toIntervalDay(37)'
    const byStart = 'toDateTime(Timestamp) + toIntervalDay(30)'
    expect(await expiries()).toEqual({
      index_failures: 'FailedAt + toIntervalDay(30)',
      link_rows: 'toDateTime(Timestamp) + toIntervalDay(37)',
      otel_logs: byStart,
      otel_traces: byStart,
      otel_traces_trace_id_ts: lookup,
      plan_keys: lookup,
      plan_rows: 'toDateTime(LastSeen) + toIntervalDay(30)',
      review_rows: byStart,
      service_operations: lookup,
      span_rows: byStart,
      step_rows: byStart,
    })
    await store.migrate()
    expect(await expiries()).toEqual({})
  })

  it.each([0, 1.5, -1, Number.NaN])('rejects %d days', async (retentionDays) => {
    const retaining = createStore({ ...fresh, retentionDays })
    await expect(retaining.migrate()).rejects.toMatchObject({ code: 'usage' })
    await retaining.close()
  })
})
