import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { openIndexers, type RunningIndexer } from '../../../src/indexer/index.js'
import type { StoredSpan } from '../../../src/semconv/index.js'
import { createStore, type Store } from '../../../src/store/index.js'
import { ROW_TABLES } from '../../../src/store/row-tables/index.js'
import { planSpans } from '../generated-plans.js'
import { freshStore } from '../fresh-store.js'
import { insertStoredSpans } from '../spans.js'
import { execute } from '../../support/clickhouse.js'
import { startCluster, type Shards } from '../../support/cluster.js'
import { foreignRows, FOREIGN_TRACES } from '../../support/foreign-traces.js'

const MINUTES = 60_000

let shards: Shards
let store: Store
let indexer: RunningIndexer | undefined
let errors: string[]

beforeEach(async () => {
  shards = await startCluster()
  store = createStore(shards)
  await store.migrate()
  errors = []
}, MINUTES)

afterEach(async () => {
  await indexer?.close()
  await store.close()
  await shards.drop()
}, MINUTES)

const start = async () => {
  indexer = await openIndexers(
    { client: store.client, url: shards.url, database: shards.database },
    { hosts: shards.shardUrls.join(), onError: (message) => errors.push(message) },
  )
  return indexer
}

const insert = (rows: readonly StoredSpan[]) => insertStoredSpans(store.client, shards.database, [...rows])

const everySpan = (): readonly StoredSpan[] => [
  ...planSpans().flat(),
  ...FOREIGN_TRACES.flatMap(({ file }) => foreignRows(file)),
]

/** The rows of each table as they are read, independent of the indexer that wrote them. */
async function rowsIn(url: string, database: string): Promise<Record<string, string[]>> {
  const tables = [...Object.values(ROW_TABLES).map(({ name }) => name), 'superseded_imports']
  const read = async (name: string) =>
    (await execute(url, `SELECT * EXCEPT Version FROM ${database}.${name} FINAL FORMAT JSONEachRow`))
      .split('\n')
      .filter((line) => line !== '')
      .toSorted()
  return Object.fromEntries(await Promise.all(tables.map(async (name) => [name, await read(name)] as const)))
}

/** The rows of the same spans on one server. */
async function rowsOfOneServer(rows: readonly StoredSpan[]): Promise<Record<string, string[]>> {
  const one = await freshStore()
  await insertStoredSpans(one.store.client, one.fresh.database, [...rows])
  await one.index()
  const expected = await rowsIn(one.fresh.url, one.fresh.database)
  await one.close()
  return expected
}

it(
  'each shard is indexed, and all plans are listed once',
  async () => {
    const rows = everySpan()
    const expected = await rowsOfOneServer(rows)
    await insert(rows)
    const running = await start()
    await vi.waitFor(async () => {
      await running.catchUp()
      expect(await rowsIn(shards.url, shards.database)).toEqual(expected)
    }, MINUTES / 2)
    const held = await Promise.all(
      shards.shardUrls.map((url) => execute(url, `SELECT count() > 0 FROM ${shards.database}.plan_rows_local`)),
    )
    expect(held).toEqual(['1\n', '1\n'])
    expect(running.status).toMatchObject({ indexedRows: rows.length, pendingRows: 0, failedTraces: 0 })
    expect(errors).toEqual([])
  },
  2 * MINUTES,
)

it(
  'a trace on both shards has the same rows as a trace on one server',
  async () => {
    const rows = everySpan()
    const expected = await rowsOfOneServer(rows)
    const running = await start()
    // Half of the spans are on one shard, whatever their traces are.
    const local = `${shards.database}.otel_traces_local`
    await insert(rows.filter((_, at) => at % 2 === 0))
    await running.catchUp()
    const [one] = shards.shardUrls
    const other = createStore({ url: one!, database: 'elsewhere' })
    await other.migrate()
    await insertStoredSpans(
      other.client,
      'elsewhere',
      rows.filter((_, at) => at % 2 === 1),
    )
    await other.close()
    const columns = (
      await execute(
        one!,
        `SELECT arrayStringConcat(groupArray(name), ', ') FROM system.columns
         WHERE database = 'elsewhere' AND table = 'otel_traces' AND default_kind = ''`,
      )
    ).trim()
    await execute(one!, `INSERT INTO ${local} (${columns}) SELECT ${columns} FROM elsewhere.otel_traces`)
    await vi.waitFor(
      async () => {
        await running.catchUp()
        expect(await rowsIn(shards.url, shards.database)).toEqual(expected)
      },
      { timeout: MINUTES, interval: 1_000 },
    )
    expect(errors).toEqual([])
  },
  3 * MINUTES,
)

it(
  'a shard that is down does not stop the other, and is indexed again when it is back',
  async () => {
    const rows = everySpan()
    const expected = await rowsOfOneServer(rows)
    await insert(rows)
    await shards.stop(1)
    const running = await start()
    const local = (name: string) => execute(shards.url, `SELECT count() FROM ${shards.database}.${name}`)
    await vi.waitFor(async () => {
      await running.catchUp()
      expect(Number(await local('plan_rows_local FINAL'))).toBeGreaterThan(10)
      expect(running.status.pendingRows).toBe(0)
    }, MINUTES / 2)
    expect(errors.join('\n')).toContain(new URL(shards.shardUrls[1]!).port)
    expect(await local('index_watermarks')).toBe('0\n')

    await shards.start(1)
    await vi.waitFor(
      async () => {
        await running.catchUp()
        expect(await rowsIn(shards.url, shards.database)).toEqual(expected)
      },
      { timeout: MINUTES, interval: 1_000 },
    )
    await vi.waitFor(async () => expect(await local('index_watermarks')).not.toBe('0\n'), MINUTES / 2)
  },
  3 * MINUTES,
)
