import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { startClickHouse, type EmbeddedClickHouse } from '../../src/clickhouse/index.js'
import { createApp, openStore } from '../../src/server/index.js'
import { listenOtlp } from '../../src/server/intake/otlp-grpc.js'
import { createStore, migrateCluster } from '../../src/store/index.js'
import { grantStatement } from '../../src/store/rights.js'
import { fillSql, splitSql } from '../../src/store/client/sql-file.js'
import type { Readiness } from '../../src/wire/index.js'
import { otlpClient } from '../server/otlp-client.js'
import { execute } from '../support/clickhouse.js'
import { startShards } from '../support/cluster.js'
import { asUser, grantedUsers } from '../support/granted-users.js'
import { indexAll } from '../support/index-all.js'
import { answers, planSpans } from './generated-plans.js'
import { encode, makeRequest, makeSpan } from './ingest/sample-spans.js'
import { insertStoredSpans } from './spans.js'

/** The statements of the page, in its order. */
const page = readFileSync('docs/deployment.md', 'utf8')
const section = /\n### Rights in ClickHouse\n([^]*?)\n## /.exec(page)?.[1] ?? ''
const [owner = '', writer = '', reader = '', erasing = ''] = [...section.matchAll(/```sql\n([^]*?)```/g)].map(
  ([, sql]) => sql,
)
const half = 'GRANT SELECT, CREATE TABLE ON otel.*, SELECT ON system.parts, TABLE ENGINE ON Null'
const nobody = 'GRANT SELECT ON elsewhere.*'
const erasesAlone = erasing.replace('GRANT ', '').replace(/ TO \w+\s*$/, '')
const eraser = writer.replace('GRANT ', `GRANT ${erasesAlone}, `)
const spansAlone = `GRANT SELECT ON otel.*, ${['otel_traces', 'otel_logs', 'otlp_protobuf', 'otlp_json', 'otlp_logs_protobuf', 'otlp_logs_json'].map((table) => `INSERT ON otel.${table}`).join(', ')}`
const USERS = grantedUsers({ owner, writer, reader, eraser, half, nobody, spansAlone })

const spanRequest = encode('json', makeRequest([makeSpan(1)]))
const asJson = { 'content-type': 'application/json' }

let directory: string
let clickhouse: EmbeddedClickHouse

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  const dataDirectory = join(directory, 'data')
  mkdirSync(join(dataDirectory, 'users.d'), { recursive: true })
  writeFileSync(join(dataDirectory, 'users.d/granted.xml'), USERS)
  clickhouse = await startClickHouse({ dataDirectory, coldDirectory: join(directory, 'cold') })
})
afterAll(async () => {
  await clickhouse.stop()
  rmSync(directory, { recursive: true })
})
afterEach(() => execute(clickhouse.url, 'DROP DATABASE IF EXISTS otel SYNC'))

const as = (user: string) => asUser(clickhouse.url, user)

async function index(user: string): Promise<void> {
  const { client, close } = createStore({ url: as(user) })
  await indexAll({ client, url: as(user), database: 'otel' })
  await close()
}

async function makeTables(): Promise<void> {
  const opened = await openStore({ clickhouseUrl: as('owner') })
  await opened.close()
}

it('match the rights that planspan requires', () => {
  const written = [owner, writer, reader, erasing].map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
  expect(written).toEqual([
    grantStatement('owner', 'otel', 'planspan'),
    grantStatement('writer', 'otel', 'planspan_writer'),
    grantStatement('reader', 'otel', 'planspan_reader'),
    grantStatement('eraser', 'otel', 'planspan_writer'),
  ])
})

describe('the documented owner', () => {
  it('creates the tables, sets how spans age, and stores spans', async () => {
    const cold = { policy: 'planspan', volume: 'cold', afterDays: 3 }
    for (const options of [{}, { retentionDays: 9999, cold }, { retentionDays: 9998 }, {}]) {
      const opened = await openStore({ clickhouseUrl: as('owner'), ...options })
      await opened.writer.write({ encoding: 'json', body: spanRequest, spans: 1 })
      expect(await opened.store.storage()).toMatchObject({ cold: options.cold ? { afterDays: 3 } : null })
      await opened.close()
    }
  })

  it('adopts the tables of a collector, including their spans', async () => {
    const store = createStore({ url: as('owner') })
    await store.client.command({ query: 'CREATE DATABASE otel' })
    const sql = fillSql(readFileSync('test/fixtures/collector-schema/generation-1.sql', 'utf8'), { database: 'otel' })
    for (const query of splitSql(sql)) await store.client.command({ query })
    await insertStoredSpans(store.client, 'otel', planSpans()[0] ?? [])
    await store.migrate()
    await indexAll({ client: store.client, url: as('owner'), database: 'otel' })
    expect((await store.reader.listPlans()).plans).toHaveLength(1)
    await store.close()
  })
})

describe('the documented writer', () => {
  it('stores spans in either encoding and as a collector, reads them, and adds prices', async () => {
    await makeTables()
    const opened = await openStore({ clickhouseUrl: as('writer') })
    const { store } = opened
    for (const [at, encoding] of (['json', 'protobuf'] as const).entries()) {
      const body = encode(encoding, makeRequest([makeSpan(at, { name: 'chat gpt-4o' })]))
      expect(await opened.writer.write({ encoding, body, spans: 1 })).toMatchObject({ rejectedSpans: 0 })
    }
    const journalled = vi.spyOn(store.client, 'exec')
    for (const at of [2, 3]) {
      const body = encode('json', makeRequest([makeSpan(at, { traceId: 'd'.repeat(32) })]))
      await opened.writer.write({ encoding: 'json', body, spans: 1 }, ['sender'])
    }
    expect(journalled.mock.calls.some(([{ query }]) => query.includes('otlp_journal'))).toBe(true)
    expect(await store.reader.readTrace('d'.repeat(32))).toHaveLength(2)
    const left = () => execute(clickhouse.url, 'SELECT count() FROM otel.otlp_journal')
    await vi.waitUntil(async () => (await left()).trim() === '0')
    await insertStoredSpans(store.client, 'otel', planSpans()[0] ?? [])
    await opened.indexer?.catchUp()
    expect((await store.reader.listPlans()).plans).toHaveLength(1)
    expect(await (await createApp(opened).request('/readyz')).json()).toMatchObject({ writable: true })
    await store.priceModels({ models: ['m'], priceOf: () => ({ input: 1, output: 1 }) })
    await opened.close()
  })
})

describe('a user who may only store spans', () => {
  it('is rejected with the rights that it lacks for indexing', async () => {
    await makeTables()
    await expect(openStore({ clickhouseUrl: as('spansAlone') })).rejects.toMatchObject({
      code: 'access_denied',
      message: expect.stringMatching(/It lacks these rights: GRANT INSERT ON otel\.\*.* TO spansAlone/) as string,
    })
  })
})

describe('the documented writer with the right to erase', () => {
  it('erases plans, which other users may not', async () => {
    await makeTables()
    const made = createStore({ url: as('owner') })
    await insertStoredSpans(made.client, 'otel', planSpans()[0] ?? [])
    await indexAll({ client: made.client, url: as('owner'), database: 'otel' })
    const [plan] = (await made.reader.listPlans()).plans
    const erase = async (user: string) => {
      const store = createStore({ url: as(user) })
      await store.erase(plan?.planId ?? '', { running: true }).finally(() => store.close())
    }
    for (const user of ['writer', 'reader']) {
      await expect(erase(user)).rejects.toMatchObject({
        code: 'access_denied',
        message: expect.stringMatching(
          /may not erase plans .*GRANT ALTER DELETE, ALTER SETTINGS ON otel\.\*/,
        ) as string,
      })
    }
    await erase('eraser')
    expect((await made.reader.listPlans()).plans).toEqual([])
    await made.close()
  })
})

describe('the documented reader', () => {
  it('reads everything, reports that it cannot write, and rejects spans and records permanently', async () => {
    await makeTables()
    const made = createStore({ url: as('owner') })
    await insertStoredSpans(made.client, 'otel', planSpans().flat())
    await index('owner')
    const opened = await openStore({ clickhouseUrl: as('reader') })
    expect(await answers(opened.store)).toEqual(await answers(made))
    expect(await opened.store.storage()).toEqual({ disks: [], cold: null })
    const app = createApp(opened)
    const ready = (await (await app.request('/readyz?layout')).json()) as Readiness
    expect(ready).toMatchObject({ status: 'ready', writable: false, layout: { isOrdered: true } })

    const record = readFileSync('test/fixtures/lynxe/details-waiting-input.json')
    for (const [path, body] of [
      ['/v1/traces', spanRequest],
      ['/api/records', record],
    ] as const) {
      const refused = await app.request(path, { method: 'POST', headers: asJson, body })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, null])
      expect(await refused.text()).toContain('GRANT INSERT ON otel.*, ALTER DELETE ON otel.otlp_journal, ')
    }
    const listener = await listenOtlp({ writer: opened.writer }, { host: '127.0.0.1', port: 0 })
    const client = otlpClient(listener.port)
    expect(await client.export(encode('protobuf', makeRequest([makeSpan(1)])))).toMatchObject({
      code: 7,
      details: expect.stringContaining('GRANT INSERT') as string,
      retryAfter: undefined,
    })
    client.close()
    await listener.close(AbortSignal.abort())
    await opened.close()
    await made.close()
  })
})

describe('a user who may not create the tables', () => {
  it.each([
    ['all that the owner has', 'nobody', grantStatement('owner', 'otel', 'nobody')],
    [
      'what is missing, at once',
      'half',
      grantStatement('owner', 'otel', 'half')
        .replace('SELECT, INSERT, CREATE DATABASE, CREATE TABLE, CREATE VIEW, ', 'INSERT, CREATE DATABASE, ')
        .replace('SELECT ON system.parts, ', '')
        .replace('TABLE ENGINE ON Null, ', ''),
    ],
  ])('gets the message %s', async (_, user, grant) => {
    const error: unknown = await openStore({ clickhouseUrl: as(user) }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'access_denied' })
    expect((error as Error).message).toContain(`It lacks these rights: ${grant}. `)
  })
})

it('are enough on a cluster, too, if each host has them', async () => {
  const onCluster = [owner, writer, reader].map((statement) => statement.replaceAll('otel.', 'cluster.'))
  const granted = grantedUsers({ owner: onCluster[0] ?? '', writer: onCluster[1] ?? '', reader: onCluster[2] ?? '' })
  const shards = await startShards(2, {}, granted)
  try {
    const { name: cluster, database, url } = shards
    const hosts = shards.shardUrls.map((host) => asUser(host, 'owner')).join()
    const report = await migrateCluster({ cluster, database, hosts })
    expect(report).toMatchObject({ hosts: [{}, {}], differences: [] })
    expect(report.hosts.flatMap(({ failure }) => failure ?? [])).toEqual([])
    const writing = await openStore({
      clickhouseUrl: asUser(url, 'writer'),
      database,
      hosts: shards.shardUrls.map((host) => asUser(host, 'writer')).join(),
    })
    const body = encode('json', makeRequest(Array.from({ length: 9 }, (_, at) => makeSpan(at))))
    expect(await writing.writer.write({ encoding: 'json', body, spans: 9 })).toMatchObject({ rejectedSpans: 0 })
    await insertStoredSpans(writing.store.client, database, planSpans()[0] ?? [])
    await writing.indexer?.catchUp()
    await writing.close()
    const reading = await openStore({ clickhouseUrl: asUser(url, 'reader'), database })
    expect((await reading.store.reader.listPlans()).plans).toHaveLength(1)
    expect(await (await createApp(reading).request('/readyz')).json()).toMatchObject({ writable: false })
    await reading.close()
  } finally {
    await shards.drop()
  }
})
