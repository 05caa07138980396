import type { ClickHouseClient } from '@clickhouse/client'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { Indexer } from '../../src/indexer/index.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'
import { ROW_TABLES } from '../../src/store/row-tables/index.js'
import { freshStore, type FreshStore } from '../store/fresh-store.js'
import { planSpans } from '../store/generated-plans.js'
import { insertStoredSpans } from '../store/spans.js'
import { branchingLife } from '../support/branching-plan.js'
import { FOREIGN_TRACES, foreignRows } from '../support/foreign-traces.js'
import { planLife } from '../support/simulated-plan.js'

let whole: FreshStore
let pieces: FreshStore

beforeEach(async () => {
  ;[whole, pieces] = await Promise.all([freshStore(), freshStore()])
})

afterEach(async () => {
  await Promise.all([whole.close(), pieces.close()])
})

const LIVES = 60
const IDS: ReadonlySet<string> = new Set([ATTR.planId, ATTR.planRootId, ATTR.planParentId])

/** The rows of a life, with trace and plan ids of its own. */
const asTrace = (rows: readonly StoredSpan[], life: number): StoredSpan[] =>
  rows.map((row) => ({
    ...row,
    traceId: `7${life.toString(16).padStart(31, '0')}`,
    attributes: Object.fromEntries(
      Object.entries(row.attributes).map(([key, value]) => [key, IDS.has(key) ? `${value}/${String(life)}` : value]),
    ),
  }))

/** How rows arrive: the batch of each, which arrive twice, and after which batches the indexer restarts. */
const arrival = fc.record({
  seed: fc.nat(),
  batches: fc.integer({ min: 2, max: 8 }),
  repeats: fc.integer({ min: 0, max: 20 }),
  ends: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  // The indexer postpones traces that take longer.
  cheapMs: fc.constantFrom(0, 20),
})

const lives = fc.array(
  fc.oneof(
    planLife.map(({ rows }) => rows),
    branchingLife,
  ),
  {
    minLength: LIVES,
    maxLength: LIVES,
  },
)

it('the rows do not depend on the order, the batches and duplicates of arriving spans, or on restarts of the indexer', async () => {
  await fc.assert(
    fc.asyncProperty(lives, arrival, async (rowsOfLives, { seed, batches, repeats, ends, cheapMs }) => {
      const rows = [
        ...rowsOfLives.flatMap(asTrace),
        ...FOREIGN_TRACES.flatMap(({ file }) => foreignRows(file)),
        ...planSpans().flat(),
      ]
      await insertStoredSpans(whole.store.client, whole.fresh.database, rows)
      await whole.index()

      const random = randomOf(seed)
      const parts: StoredSpan[][] = Array.from({ length: batches }, () => [])
      for (const row of rows) {
        parts[random(batches)]?.push(row)
        if (random(100) < repeats) parts[random(batches)]?.push(row)
      }
      let indexer = start(pieces, { cheapMs })
      for (const [at, part] of parts.entries()) {
        await insertStoredSpans(pieces.store.client, pieces.fresh.database, part)
        if (random(2) === 0) await indexer.catchUp()
        if (ends[at] !== true) continue
        await indexer.close()
        indexer = start(pieces, { cheapMs, writes: random(20) })
      }
      await indexer.close()
      await pieces.index()

      for (const { name, key } of Object.values(ROW_TABLES)) {
        const sorted = `SELECT * EXCEPT Version FROM ${name} FINAL ORDER BY ${key.join(', ')}`
        const [given, expected] = await Promise.all([read(pieces, sorted), read(whole, sorted)])
        expect({ name, differences: differences(given, expected, key) }).toEqual({ name, differences: [] })
      }
    }),
    {
      numRuns: 1,
      endOnFailure: true,
      // There are too many lives to print.
      asyncReporter: async ({ failed, seed, errorInstance }) => {
        if (failed) throw new Error(`With the seed ${String(seed)}`, { cause: errorInstance })
      },
    },
  )
})

/** Starts an indexer whose writes fail after the given number, as if its process had been killed. */
function start(
  { store, fresh }: FreshStore,
  { cheapMs, writes = Number.POSITIVE_INFINITY }: { readonly cheapMs: number; readonly writes?: number },
): Indexer {
  const { url, database } = fresh
  let left = writes
  const killed: ProxyHandler<ClickHouseClient> = {
    get(client, name: keyof ClickHouseClient) {
      if (name !== 'insert' && name !== 'exec') return client[name]
      return (request: { readonly query?: string }) => {
        const isWrite = request.query?.startsWith('INSERT') !== false
        if (isWrite && left-- <= 0) throw new Error('The process was killed.')
        return client[name](request as never)
      }
    },
  }
  const indexer = new Indexer({ target: { client: new Proxy(store.client, killed), url, database }, cheapMs })
  indexer.start()
  return indexer
}

type Row = Readonly<Record<string, unknown>>

async function read({ store, fresh }: FreshStore, sql: string): Promise<Row[]> {
  const query = sql.replace(' FROM ', ` FROM ${fresh.database}.`)
  return (await store.client.query({ query, format: 'JSONEachRow' })).json()
}

/** The columns in which rows differ, and the rows that only one side has, by key. */
function differences(given: readonly Row[], expected: readonly Row[], key: readonly string[]): string[] {
  const idOf = (row: Row) => key.map((name) => String(row[name])).join(' ')
  const left = new Map(given.map((row) => [idOf(row), row]))
  const found: string[] = []
  for (const row of expected) {
    const other = left.get(idOf(row))
    left.delete(idOf(row))
    if (!other) found.push(`missing: ${idOf(row)}`)
    for (const name of other ? Object.keys(row) : []) {
      const [a, b] = [JSON.stringify(other?.[name]), JSON.stringify(row[name])]
      if (a !== b) found.push(`${idOf(row)}: ${name} is ${a}, not ${b}`)
    }
  }
  return [...found, ...[...left.keys()].map((id) => `not expected: ${id}`)]
}

/** Random integers below a bound, reproducible by seed. */
function randomOf(seed: number): (bound: number) => number {
  let state = seed % 2_147_483_646
  return (bound) => {
    state = ((state + 1) * 48_271) % 2_147_483_647
    return state % bound
  }
}
