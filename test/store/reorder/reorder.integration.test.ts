import { readdirSync, readFileSync } from 'node:fs'

import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'

import { createStore, type Store } from '../../../src/store/index.js'
import { SPAN_COLUMNS } from '../../../src/store/columns.js'
import { reorder, type ReorderOptions } from '../../../src/store/reorder/reorder.js'
import { checkReorderable } from '../../../src/store/reorder/span-tables.js'
import { fillSql, splitSql } from '../../../src/store/sql-file.js'
import type { StoredSpan } from '../../../src/semconv/index.js'
import { freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { answers, planSpans } from '../generated-plans.js'
import { insertStoredSpans } from '../spans.js'

const FIXTURES = new URL('../../fixtures/', import.meta.url)
const SCHEMAS = ['collector-schema', 'schemas'].flatMap((folder) =>
  readdirSync(new URL(folder, FIXTURES))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => `${folder}/${name}`)
    .filter((name) => !isOrdered(readFileSync(new URL(name, FIXTURES), 'utf8'))),
)
/** Whether a schema has its spans in the order of today. */
function isOrdered(schema: string): boolean {
  return schema.includes('ENGINE = ReplacingMergeTree(Recency)')
}
const COLLECTORS = 'collector-schema/generation-1.sql'
/** Some steps a day. */
const STEP_ROWS = 600

interface Database {
  readonly fresh: FreshDatabase
  readonly store: Store
}

let old: Database
/** One made today that has all spans, which no test changes. */
let made: Database
let madeAnswers: Record<string, unknown>

async function newDatabase(): Promise<Database> {
  const fresh = await freshDatabase()
  return { fresh, store: createStore(fresh) }
}

async function drop({ fresh, store }: Database): Promise<void> {
  await store.close()
  await fresh.drop()
}

beforeAll(async () => {
  made = await newDatabase()
  await made.store.migrate()
  await insert(planSpans().flat(), made)
  madeAnswers = await answers(made.store)
})
afterAll(() => drop(made))
beforeEach(async () => {
  old = await newDatabase()
})
afterEach(() => drop(old))

const command = (query: string) => old.store.client.command({ query: fillSql(query, { database: old.fresh.database }) })

async function makeOld(schema: string): Promise<void> {
  for (const query of splitSql(readFileSync(new URL(schema, FIXTURES), 'utf8'))) await command(query)
}

/** Inserts as a collector does. */
async function insert(spans: StoredSpan[] | undefined, { store } = old): Promise<void> {
  if (spans) await insertStoredSpans(store.client, store.database, spans)
}

const run = (options: ReorderOptions = {}, client: ClickHouseClient = old.store.client) =>
  reorder({ client, url: old.fresh.url, database: old.fresh.database }, { stepRows: STEP_ROWS, ...options })

async function rows<Row>({ store }: Database, query: string): Promise<Row[]> {
  const filled = fillSql(query, { database: store.database })
  return (await store.client.query({ query: filled, format: 'JSONEachRow' })).json<Row>()
}

const COLUMNS = Object.keys(SPAN_COLUMNS)
  .map((name) => `\`${name}\``)
  .join(', ')
const allSpans = (database: Database) =>
  rows(database, `SELECT DISTINCT ${COLUMNS} FROM \${database}.otel_traces FINAL ORDER BY ALL`)

const tables = (database: Database) =>
  rows(
    database,
    `SELECT name, engine, trim(BOTH '()' FROM sorting_key) AS key FROM system.tables
    WHERE database = '${database.fresh.database}' ORDER BY name`,
  )

async function expectAsMade(): Promise<void> {
  expect(await allSpans(old)).toEqual(await allSpans(made))
  expect(await answers(old.store)).toEqual(madeAnswers)
  expect(await tables(old)).toEqual(await tables(made))
  const windows = `SELECT TraceId, min(Start), max(End), arraySort(groupUniqArrayArray(Minutes))
    FROM \${database}.otel_traces_trace_id_ts GROUP BY TraceId ORDER BY TraceId`
  expect(await rows(old, windows)).toEqual(await rows(made, windows))
}

describe.each(SCHEMAS)('a reorder of %s', (schema) => {
  it('makes it answer as one made today, with all that came before, meanwhile and after', async () => {
    const plans = planSpans()
    await makeOld(schema)
    await insert(plans.splice(0, 4).flat())
    await old.store.migrate()
    await insert(plans.splice(0, 2).flat())

    const reordered = await run({ onProgress: () => insert(plans.shift()) })

    expect(reordered?.rows.before).toBeGreaterThan(0)
    await insert(plans.splice(0).flat())
    await expectAsMade()
    expect(await run()).toBeUndefined()
    await old.store.migrate()
    expect(await tables(old)).toEqual(await tables(made))
  })
})

describe('a reorder', () => {
  it('changes no answer and no byte of a span', async () => {
    await makeOld(COLLECTORS)
    await old.store.migrate()
    await insert(planSpans().flat())
    const columns = `SELECT ${COLUMNS} FROM \${database}.otel_traces ORDER BY ALL`
    const before = { answers: await answers(old.store), rows: await rows(old, columns) }
    await run()
    expect({ answers: await answers(old.store), rows: await rows(old, columns) }).toEqual(before)
  })

  it('can be broken off before every statement, loses no span, and goes on', async () => {
    const plans = planSpans()
    await makeOld(COLLECTORS)
    await insert(plans.splice(0, 6).flat())
    let inserted = planSpans().slice(0, 6).flat().length
    let ended = false
    for (let statements = 0; !ended; statements += 1) {
      try {
        await run({}, breakingOff(old.store.client, statements))
        ended = true
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringContaining('broken off') as string })
      }
      const next = plans.shift() ?? []
      await insert(next)
      inserted += next.length
      const stored = 'SELECT toUInt32(uniqExact(TraceId, SpanId)) AS spans FROM ${database}.otel_traces'
      expect(await rows(old, stored)).toEqual([{ spans: inserted }])
    }
    await insert(plans.flat())
    await expectAsMade()
  })

  it('keeps the retention', async () => {
    await makeOld(COLLECTORS)
    await insert(planSpans().flat())
    const ttl = `SELECT name, extract(engine_full, ' TTL (.+?) SETTINGS') AS ttl FROM system.tables
      WHERE database = '${old.fresh.database}' AND name LIKE 'otel_traces%' AND ttl != '' ORDER BY name`
    await run()
    expect(await rows(old, ttl)).toEqual([
      { name: 'otel_traces', ttl: 'toDateTime(Timestamp) + toIntervalHour(87600)' },
      { name: 'otel_traces_trace_id_ts', ttl: 'toDateTime(Start) + toIntervalHour(87600)' },
    ])
  })

  it("keeps planspan's own retention on all tables", async () => {
    await makeOld('schemas/2026-11-22.sql')
    const store = createStore({ ...old.fresh, retentionDays: 3000 })
    await store.migrate()
    await store.close()
    const ttl = `SELECT name, extract(engine_full, ' TTL (.+?) SETTINGS') AS ttl FROM system.tables
      WHERE database = '${old.fresh.database}' AND ttl != '' ORDER BY name`
    const before = await rows(old, ttl)
    expect(before).toHaveLength(9)
    await run()
    expect(await rows(old, ttl)).toEqual(before)
  })

  it('runs once at a time', async () => {
    await makeOld(COLLECTORS)
    await insert(planSpans().flat())
    const second: unknown[] = []
    await run({
      onProgress: async () => {
        if (second.length === 0) second.push(await run().catch((error: unknown) => error))
      },
    })
    expect(second).toMatchObject([{ code: 'store_busy' }])
    expect(await allSpans(old)).toEqual(await allSpans(made))
  })

  it('says who may do it', async () => {
    await makeOld(COLLECTORS)
    const reader = createStore({ url: inject('clickhouseReaderUrl'), database: old.fresh.database })
    const target = { client: reader.client, url: inject('clickhouseReaderUrl'), database: old.fresh.database }
    await expect(reorder(target)).rejects.toMatchObject({
      code: 'access_denied',
      message: expect.stringMatching(
        /may not make or change the tables.*GRANT .*DROP TABLE.* TO planspan_reader/,
      ) as string,
    })
    await reader.close()
  })

  it.each([
    ['a table of another engine', 'CREATE TABLE ${database}.otel_traces (a UInt8) ENGINE = Memory', 'Memory'],
    [
      'a table with columns of its own',
      'CREATE TABLE ${database}.otel_traces (Timestamp DateTime64(9), Team String) ENGINE = MergeTree ORDER BY Timestamp',
      'Team',
    ],
  ])('refuses %s', async (_, table, word) => {
    await command(table)
    await expect(run()).rejects.toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringContaining(word) as string,
    })
  })

  it('begins nothing where a name of a view is taken', async () => {
    await makeOld(COLLECTORS)
    await insert(planSpans().flat())
    await command('CREATE TABLE ${database}.plans (a UInt8) ENGINE = Memory')
    const names = () => rows(old, `SELECT name FROM system.tables WHERE database = '\${database}' ORDER BY name`)
    const before = await names()
    await expect(run()).rejects.toMatchObject({ code: 'schema_mismatch' })
    expect(await names()).toEqual(before)
  })

  it('says what to do on a cluster', async () => {
    const target = { client: old.store.client, url: old.fresh.url, database: old.fresh.database }
    const distributed = { name: 'otel_traces', engine: 'Distributed', ttl: '', policy: '' }
    await expect(checkReorderable(target, distributed)).rejects.toMatchObject({
      code: 'schema_mismatch',
      message: expect.stringContaining('planspan schema --cluster') as string,
    })
  })

  it('has nothing to do where there is no table, or it is in order', async () => {
    expect(await run()).toBeUndefined()
    const { client, database } = made.store
    expect(await reorder({ client, url: made.fresh.url, database })).toBeUndefined()
  })
})

/** A client that executes so many statements and no more. */
function breakingOff(client: ClickHouseClient, statements: number): ClickHouseClient {
  let left = statements
  const command: ClickHouseClient['command'] = async (params) => {
    left -= 1
    if (left < 0) throw new Error('broken off')
    return client.command(params)
  }
  return new Proxy(client, {
    get: (own, name) => {
      if (name === 'command') return command
      const value: unknown = Reflect.get(own, name)
      return typeof value === 'function' ? (value.bind(own) as unknown) : value
    },
  })
}
