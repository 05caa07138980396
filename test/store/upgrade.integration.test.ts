import { readdirSync, readFileSync } from 'node:fs'

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createStore, type Store } from '../../src/store/index.js'
import { fillSql, splitSql } from '../../src/store/sql-file.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { answers, planSpans } from './generated-plans.js'
import { insertStoredSpans } from './spans.js'

const SCHEMAS = new URL('../fixtures/schemas/', import.meta.url)

interface Database {
  readonly fresh: FreshDatabase
  readonly store: Store
}

let upgraded: Database
/** What a database of today answers. */
let expected: Record<string, unknown>
/** The query of each of its materialized views. */
let queries: Record<string, string>

async function newDatabase(): Promise<Database> {
  const fresh = await freshDatabase()
  return { fresh, store: createStore(fresh) }
}

async function drop({ fresh, store }: Database): Promise<void> {
  await store.close()
  await fresh.drop()
}

beforeAll(async () => {
  const made = await newDatabase()
  await made.store.migrate()
  await fill(made, 0)
  await fill(made, 1)
  expected = await answers(made.store)
  queries = await viewQueries(made)
  await drop(made)
})
beforeEach(async () => {
  upgraded = await newDatabase()
})
afterEach(() => drop(upgraded))

async function fill({ store }: Database, part: 0 | 1): Promise<void> {
  const plans = planSpans().filter((_, at) => at % 2 === part)
  await insertStoredSpans(store.client, store.database, plans.flat())
}

async function viewQueries({ store }: Database): Promise<Record<string, string>> {
  const query = `SELECT name, replaceAll(as_select, {database:String}, 'db') AS select FROM system.tables
                 WHERE database = {database:String} AND engine = 'MaterializedView'`
  const views = await store.client.query({ query, query_params: { database: store.database }, format: 'JSONEachRow' })
  return Object.fromEntries(
    (await views.json<{ name: string; select: string }>()).map((view) => [view.name, view.select]),
  )
}

describe('a database of an earlier planspan', () => {
  const schemas = readdirSync(SCHEMAS).filter((name) => name.endsWith('.sql'))

  it.each(schemas)('%s is brought along with its spans, and answers as one made today', async (schema) => {
    const sql = fillSql(readFileSync(new URL(schema, SCHEMAS), 'utf8'), { database: upgraded.fresh.database })
    for (const query of splitSql(sql)) await upgraded.store.client.command({ query })
    await fill(upgraded, 0)
    await upgraded.store.migrate()
    await fill(upgraded, 1)

    expect(await answers(upgraded.store)).toEqual(expected)
    expect(await viewQueries(upgraded)).toEqual(queries)
    expect(Object.values((await upgraded.store.upkeep()).drift).flat()).toEqual([])
    await upgraded.store.migrate()
  })

  it('is held against answers that tell something', () => {
    const empty = Object.keys(expected).filter((name) => (expected[name] as unknown[]).length === 0)
    // No made up record has two generations, and no instrumentation but planspan's tells of one.
    expect(empty).toEqual(['convention', 'superseded_traces'])
  })
})
