import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { fillSql, splitSql } from '../../src/store/client/sql-file.js'
import { createStore } from '../../src/store/index.js'
import { execute, freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { indexAll } from '../support/index-all.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { answers, planSpans } from './generated-plans.js'
import { insertStoredSpans } from './spans.js'

/** The statements of the page, in its order. */
const page = readFileSync('docs/deployment.md', 'utf8')
const section = /\n## A table that a collector made\n([^]*?)\n## /.exec(page)?.[1] ?? ''
const [copy = '', compare = ''] = [...section.matchAll(/```sql\n([^]*?)```/g)].flatMap(([, sql = '']) => splitSql(sql))

let collectors: FreshDatabase
let ordered: FreshStore

beforeEach(async () => {
  collectors = await freshDatabase()
  ordered = await freshStore()
})
afterEach(async () => {
  await ordered.close()
  await collectors.drop()
})

const run = (statement: string): Promise<string> =>
  execute(
    collectors.url,
    statement
      .replaceAll('otel_ordered.', `${ordered.fresh.database}.`)
      .replaceAll(' otel.', ` ${collectors.database}.`),
  )

it.each([1, 2])(
  'the page’s statements copy a table that a collector of generation %i made into planspan’s order',
  async (generation) => {
    const schema = readFileSync(`test/fixtures/collector-schema/generation-${String(generation)}.sql`, 'utf8')
    for (const sql of splitSql(fillSql(schema, { database: collectors.database }))) await run(sql)
    const served = createStore(collectors)
    await insertStoredSpans(served.client, collectors.database, planSpans().flat())
    await served.migrate()
    expect(await run(compare)).not.toBe('0\n')

    await run(copy)
    expect(await run(compare)).toBe('0\n')
    expect(await ordered.store.spanLayout()).toMatchObject({ isOrdered: true })
    await Promise.all([ordered.index(), indexAll({ client: served.client, ...collectors })])
    const copied = await answers(ordered.store)
    expect(copied).toEqual(await answers(served))
    await run(copy)
    expect(await answers(ordered.store)).toEqual(copied)
    await served.close()
  },
)
