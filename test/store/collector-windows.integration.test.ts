import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { createStore } from '../../src/store/index.js'
import { fillSql, splitSql } from '../../src/store/client/sql-file.js'
import { freshDatabase } from '../support/clickhouse.js'
import { insertSpans } from './spans.js'

const NEWER = new URL('../fixtures/collector-schema/generation-2.sql', import.meta.url)

it("a trace is read whole through a newer collector's own lookup view, also after its rows there are merged", async () => {
  const fresh = await freshDatabase()
  const store = createStore(fresh)
  const { client, database } = store
  for (const query of splitSql(fillSql(readFileSync(NEWER, 'utf8'), { database }))) await client.command({ query })
  await insertSpans(client, database, [{ traceId: 't', spanId: 'early' }])
  await store.migrate()
  await insertSpans(client, database, [{ traceId: 't', spanId: 'late', start: 600_000 }])
  await client.command({ query: `OPTIMIZE TABLE ${database}.otel_traces_trace_id_ts FINAL` })
  const spans = await store.reader.readTrace('t')
  expect(spans.map(({ spanId }) => spanId).toSorted()).toEqual(['early', 'late'])
  await store.close()
  await fresh.drop()
})
