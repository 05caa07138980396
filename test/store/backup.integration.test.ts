import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { startClickHouse } from '../../src/clickhouse/index.js'
import { openStore } from '../../src/server/index.js'
import { splitSql } from '../../src/store/client/sql-file.js'
import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { execute } from '../support/clickhouse.js'
import { answers, planSpans } from './generated-plans.js'
import { encode, makeRequest, makeSpan } from './ingest/sample-spans.js'
import { insertStoredSpans } from './spans.js'

/** The configuration and the statements of the page, in its order. */
const page = readFileSync('docs/deployment.md', 'utf8')
const section = /\n## Backups of a ClickHouse of your own\n([^]*?)\n## /.exec(page)?.[1] ?? ''
const [configuration = ''] = [...section.matchAll(/```xml\n([^]*?)```/g)].map(([, xml]) => xml)
const [backup = '', restore = ''] = [...section.matchAll(/```sql\n([^]*?)```/g)].map(([, sql]) => sql)

/** A ClickHouse with that configuration, and its backup directory. */
async function startWithBackups(directory: string) {
  const dataDirectory = temporaryDirectory()
  const asXml = directory.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  mkdirSync(join(dataDirectory, 'config.d'))
  writeFileSync(join(dataDirectory, 'config.d/backups.xml'), configuration.replace('/backups/', `${asXml}/`))
  const clickhouse = await startClickHouse({ dataDirectory })
  onTestFinished(() => clickhouse.stop())
  const run = async (statements: string) => {
    for (const sql of splitSql(statements)) await execute(clickhouse.url, sql)
  }
  const open = async () => {
    const opened = await openStore({ clickhouseUrl: clickhouse.url })
    onTestFinished(() => opened.close())
    return opened
  }
  return { run, open, url: clickhouse.url }
}

it('the documented backup and restore work, including spans in the journal', { timeout: 300_000 }, async () => {
  const directory = temporaryDirectory()
  const from = await startWithBackups(directory)
  const { store, writer } = await from.open()
  await insertStoredSpans(store.client, 'otel', planSpans().flat())
  const traceId = 'd'.repeat(32)
  const body = Buffer.from(encode('protobuf', makeRequest([makeSpan(1, { traceId })]))).toString('hex')
  await from.run(
    `INSERT INTO otel.otlp_journal (Segment, Encoding, SpanCount, Body) VALUES ('acknowledged', 'protobuf', 1, unhex('${body}'))`,
  )
  await from.run(backup)

  const to = await startWithBackups(directory)
  await to.run(restore)
  const restored = await to.open()
  await writer.takeOver('all')
  const before = await answers(store)
  expect(await restored.store.reader.readTrace(traceId)).toHaveLength(1)
  expect(await answers(restored.store)).toEqual(before)
  await insertStoredSpans(restored.store.client, 'otel', planSpans()[0] ?? [])
  expect(await answers(restored.store)).toEqual(before)
})
