import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createStore, schemaDdl } from '../../src/store/index.js'
import { splitSql } from '../../src/store/client/sql-file.js'
import { execute, freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { indexAll } from '../support/index-all.js'
import { insertSpans, planAttributes } from './spans.js'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.drop())

describe('schemaDdl', () => {
  it('is valid SQL for one server, which ClickHouse executes', async () => {
    const store = createStore(fresh)
    for (const query of splitSql(schemaDdl({ database: fresh.database }))) await store.client.command({ query })
    await insertSpans(store.client, fresh.database, [
      { traceId: 't', spanId: 's', attributes: planAttributes({ planId: 'p' }) },
    ])
    await store.migrate()
    await indexAll({ client: store.client, ...fresh })
    expect((await store.reader.listPlans()).plans).toMatchObject([{ planId: 'p', spans: 1 }])
    await store.close()
  })

  it('is valid SQL for a cluster, which ClickHouse parses', async () => {
    for (const sql of splitSql(schemaDdl({ cluster: '{cluster}' }))) {
      const tree = await execute(fresh.url, `EXPLAIN AST ${sql.replace(/^(?:--.*\n)+/, '')}`)
      expect(tree).toMatch(/^(?:Create|Alter)Query/)
    }
  })
})
