import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'

import { createStore, type Store } from '../../../src/store/index.js'
import { fillSql } from '../../../src/store/client/sql-file.js'
import { viewDdl, readViews } from '../../../src/store/views/views.js'
import { execute, freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'

let fresh: FreshDatabase
let store: Store

beforeEach(async () => {
  fresh = await freshDatabase()
  store = createStore(fresh)
})

afterEach(async () => {
  await store.close()
  await fresh.drop()
})

const run = (sql: string) => execute(fresh.url, sql.replaceAll('@', fresh.database))

describe('the views', () => {
  it('have a description in ClickHouse’s own DESCRIBE, each column with its type', async () => {
    await store.migrate()
    for (const view of readViews()) {
      const found = await run(`DESCRIBE @.${view.name} FORMAT JSONCompactEachRow`)
      const described = found
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as string[])
      expect(described.map(([name, type, , , comment]) => ({ name, type, comment }))).toEqual(
        view.columns.map(({ name, type, comment }) => ({ name, type, comment })),
      )
      expect(await run(`SELECT comment FROM system.tables WHERE database = '@' AND name = '${view.name}'`)).toContain(
        view.comment.replaceAll("'", "\\'"),
      )
    }
  })

  it('select the types that they declare, which ClickHouse does not check', async () => {
    await store.migrate()
    for (const { name, sql, columns } of readViews()) {
      const found = await run(`DESCRIBE (${fillSql(sql, { database: fresh.database })}) FORMAT JSONCompactEachRow`)
      const selected = found
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as string[]).slice(0, 2))
      expect([name, ...selected]).toEqual([name, ...columns.map((column) => [column.name, column.type])])
    }
  })

  it('can be read in full by the read-only user, who may set max_execution_time', async () => {
    await store.migrate()
    for (const { name } of readViews()) {
      const sql = `SELECT * FROM ${fresh.database}.${name} SETTINGS max_execution_time = 30`
      expect(await execute(inject('clickhouseReaderUrl'), sql)).toBe('')
    }
  })

  it('replace an earlier or a dropped definition, and leave the others unchanged', async () => {
    await store.migrate()
    const uuids = async () =>
      new Map(
        (await run(`SELECT name, uuid FROM system.tables WHERE database = '@' AND engine = 'View'`))
          .trim()
          .split('\n')
          .map((line) => line.split('\t') as [string, string]),
      )
    const before = await uuids()
    const earlier = readViews().find(({ name }) => name === 'waits')!
    await run(viewDdl({ ...earlier, comment: 'An earlier definition.' }, { database: fresh.database }))
    await run('DROP VIEW @.reviews')
    await store.migrate()
    const after = await uuids()
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
    const changed = [...after].filter(([name, uuid]) => before.get(name) !== uuid).map(([name]) => name)
    expect(changed.sort()).toEqual(['reviews', 'waits'])
    expect(await run(`SELECT comment FROM system.tables WHERE database = '@' AND name = 'waits'`)).not.toContain(
      'earlier',
    )
  })

  it.each(['CREATE TABLE @.plans (a UInt8) ENGINE = Memory', 'CREATE VIEW @.plans AS SELECT 1 AS a'])(
    'do not replace objects that are not planspan’s: %s',
    async (foreign) => {
      await run(foreign)
      await expect(store.migrate()).rejects.toMatchObject({
        code: 'schema_mismatch',
        message: expect.stringContaining(`${fresh.database}.plans is not a view of planspan`) as string,
      })
      expect(await run('DESCRIBE @.plans')).toContain('a\tUInt8')
      // The conflict was found before anything was created.
      expect(await run(`SELECT name FROM system.tables WHERE database = '@'`)).toBe('plans\n')
    },
  )
})
