import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { generatePlans } from '../../../src/generate/index.js'
import { createSpanSender } from '../../../src/sender/index.js'
import { backupStore, checkBackup, restoreStore } from '../../../src/server/backup/index.js'
import { startServer, type RunningServer, type ServerOptions } from '../../../src/server/index.js'
import { ROW_TABLES } from '../../../src/store/row-tables/index.js'
import { temporaryDirectory } from '../../clickhouse/temporary-directory.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { execute } from '../../support/clickhouse.js'
import { fill, NO_SMALL_DISK, smallDisk } from '../../support/small-disk.js'

async function serve(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

/** Sends a span in a trace of its own; resolves when it is acknowledged. */
async function send({ url }: RunningServer, number: number): Promise<void> {
  const traceId = number.toString(16).padStart(32, '1')
  const body = new Uint8Array(encodeRequest(makeRequest([makeSpan(number, { traceId })])))
  const headers = { 'content-type': 'application/x-protobuf' }
  const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

const names = async ({ clickhouseUrl }: RunningServer): Promise<string[]> =>
  (await execute(clickhouseUrl, 'SELECT SpanName FROM otel.spans ORDER BY SpanName FORMAT TSV')).trim().split('\n')

/** Sends generated plans. */
async function sendPlans({ url }: RunningServer): Promise<void> {
  for (const { service, spans } of generatePlans({ plans: 20, days: 2, seed: 'backup', until: Date.now() })) {
    await createSpanSender({ url: `${url}/v1/traces`, serviceName: service }).send(spans)
  }
}

/** Traces that only one of the two tables contains. */
const torn = ({ clickhouseUrl }: RunningServer): Promise<string> =>
  execute(
    clickhouseUrl,
    `SELECT count() FROM (SELECT DISTINCT TraceId FROM otel.otel_traces) AS a
     FULL JOIN (SELECT DISTINCT TraceId FROM otel.otel_traces_trace_id_ts) AS b USING (TraceId)
     WHERE a.TraceId = '' OR b.TraceId = '' SETTINGS join_use_nulls = 0`,
  )

/** A data directory with a few spans, and its backup; no server runs there. */
async function backedUp(options: ServerOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'planspan-backup-'))
  const data = join(root, 'data')
  const server = await startServer({ ...options, port: 0, dataDirectory: data })
  for (const number of [1, 2, 3]) await send(server, number)
  await server.close()
  const file = join(root, 'backup.tar')
  const report = await backupStore({ dataDirectory: data, file })
  return { root, data, file, report }
}

/** Shared by all tests, which do not change it. */
let made: Awaited<ReturnType<typeof backedUp>>
beforeAll(async () => {
  made = await backedUp()
}, 60_000)
afterAll(() => rmSync(made.root, { recursive: true, force: true }))

describe('a backup', () => {
  test('of a store under load contains everything acknowledged before it, in all tables', async () => {
    const root = temporaryDirectory()
    const data = join(root, 'data')
    const server = await serve({ dataDirectory: data })
    const acknowledged: number[] = []
    const over = new AbortController()
    const sender = async (first: number) => {
      for (let number = first; !over.signal.aborted; number += 4) {
        await send(server, number)
        acknowledged.push(number)
      }
    }
    const sending = Promise.all([1, 2, 3, 4].map(sender))
    while (acknowledged.length < 40) await Promise.race([sending, new Promise(setImmediate)])
    const files: { file: string; before: number[] }[] = []
    for (const round of [1, 2]) {
      const [file, before] = [join(root, `${round}.tar`), [...acknowledged]]
      const { heldMs } = await backupStore({ dataDirectory: data, file })
      expect(heldMs).toBeGreaterThan(0)
      files.push({ file, before })
    }
    over.abort()
    await sending
    expect(readdirSync(join(data, 'store/shadow'))).toEqual(['increment.txt'])
    for (const [index, { file, before }] of files.entries()) {
      const restored = join(root, `restored-${index}`)
      await restoreStore({ file, dataDirectory: restored })
      const again = await serve({ dataDirectory: restored })
      const found = await names(again)
      expect(found).toEqual(expect.arrayContaining(before.map((number) => `span ${number}`)))
      expect(new Set(found).size).toBe(found.length)
      expect((await torn(again)).trim()).toBe('0')
      await send(again, 1_000_000)
      await again.close()
    }
  }, 180_000)

  test('succeeds after ClickHouse died while writing its freeze counter', async () => {
    const { data } = made
    const counter = join(data, 'store/shadow/increment.txt')
    truncateSync(counter, 0)
    await backupStore({ dataDirectory: data, file: join(temporaryDirectory(), 'again.tar') })
    expect(readFileSync(counter, 'utf8').trim()).toMatch(/^\d+$/)
  }, 60_000)

  test('is not written over a file, and only from a data directory', async () => {
    const { data, file } = made
    const root = temporaryDirectory()
    await expect(backupStore({ dataDirectory: data, file })).rejects.toMatchObject({ code: 'conflict' })
    const nowhere = backupStore({ dataDirectory: join(root, 'none'), file: join(root, 'x.tar') })
    await expect(nowhere).rejects.toMatchObject({ code: 'usage' })
    const unwritable = backupStore({ dataDirectory: data, file: join(root, 'no/folder/x.tar') })
    await expect(unwritable).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/ENOENT/) as string,
    })
    const stopped = AbortSignal.abort()
    await expect(backupStore({ dataDirectory: data, file: join(root, 'y.tar'), signal: stopped })).rejects.toThrow(
      /abort/i,
    )
    expect(readdirSync(root)).toEqual([])
  }, 60_000)
})

describe('a restore', () => {
  test('writes only where no store exists, and keeps the passwords', async () => {
    const { data, file, report } = made
    const root = temporaryDirectory()
    const summary = await checkBackup({ file })
    expect(summary).toMatchObject({ rows: report.rows, bytes: report.bytes, databases: ['otel'] })
    await expect(restoreStore({ file, dataDirectory: data })).rejects.toMatchObject({ code: 'conflict' })
    const restored = join(root, 'restored')
    expect(await restoreStore({ file, dataDirectory: restored })).toEqual(summary)
    const passwords = (directory: string) => readFileSync(join(directory, 'credentials.json'), 'utf8')
    expect(passwords(restored)).toBe(passwords(data))
    expect(await names(await serve({ dataDirectory: restored }))).toEqual(['span 1', 'span 2', 'span 3'])
    expect(readdirSync(restored)).not.toContain('restoring')
  }, 60_000)

  test('accepts parts without rows, which ClickHouse removes', async () => {
    const root = temporaryDirectory()
    const data = join(root, 'data')
    const server = await serve({ dataDirectory: data })
    for (const number of [1, 2, 3]) await send(server, number)
    const sql = (query: string) => execute(server.clickhouseUrl, query)
    // Empty parts that ClickHouse does not remove before the backup are removed by the restored store.
    await sql('CREATE TABLE otel.emptied (n UInt8) ENGINE = MergeTree ORDER BY n SETTINGS remove_empty_parts = 0')
    await sql('INSERT INTO otel.emptied VALUES (1)')
    await sql('ALTER TABLE otel.emptied DELETE WHERE 1 SETTINGS mutations_sync = 2')
    await sql('ALTER TABLE otel.emptied RESET SETTING remove_empty_parts')
    await server.close()
    const file = join(root, 'backup.tar')
    await backupStore({ dataDirectory: data, file })
    const restored = join(root, 'restored')
    await restoreStore({ file, dataDirectory: restored })
    expect(await names(await serve({ dataDirectory: restored }))).toHaveLength(3)
  }, 60_000)

  test('rejects a damaged or truncated file, and leaves nothing behind', async () => {
    const { file } = made
    const root = temporaryDirectory()
    const damaged = join(root, 'damaged.tar')
    const target = join(root, 'restored')
    const bytes = readFileSync(file)
    const at = bytes.indexOf('PARTITION BY toDate')
    writeFileSync(damaged, bytes.fill('X', at, at + 1))
    const taken = () => restoreStore({ file: damaged, dataDirectory: target })
    await expect(taken()).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/\.sql in it is damaged/) as string,
    })
    for (const length of [0, 100, 5000, bytes.length >> 1, bytes.length - 4000]) {
      copyFileSync(file, damaged)
      truncateSync(damaged, length)
      await expect(taken()).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/cut off/) as string,
      })
      await expect(checkBackup({ file: damaged })).rejects.toMatchObject({ code: 'usage' })
    }
    expect(existsSync(join(target, 'restoring'))).toBe(false)
    await restoreStore({ file, dataDirectory: target })
  }, 60_000)

  test('that was interrupted does not leave a store, and can be repeated', async () => {
    const { file } = made
    const root = temporaryDirectory()
    const target = join(root, 'restored')
    mkdirSync(join(target, 'restoring/store/metadata'), { recursive: true })
    await expect(startServer({ port: 0, dataDirectory: target })).rejects.toMatchObject({ code: 'conflict' })
    await restoreStore({ file, dataDirectory: target })
    // Interrupted after its last step.
    mkdirSync(join(target, 'restoring/store'), { recursive: true })
    expect(await names(await serve({ dataDirectory: target }))).toHaveLength(3)
    expect(existsSync(join(target, 'restoring'))).toBe(false)
  }, 60_000)

  test('writes cold data to a cold directory', async () => {
    const cold = join(temporaryDirectory(), 'cold')
    const { data, root } = await backedUp({ coldDirectory: cold, coldAfterDays: 3650 })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const server = await serve({ dataDirectory: data, coldAfterDays: 3650 })
    const [partition] = (
      await execute(
        server.clickhouseUrl,
        "SELECT partition_id FROM system.parts WHERE active AND table = 'otel_traces'",
      )
    ).split('\n')
    await execute(
      server.clickhouseUrl,
      `ALTER TABLE otel.otel_traces MOVE PARTITION ID '${partition}' TO VOLUME 'cold'`,
    )
    const file = join(root, 'cold.tar')
    await backupStore({ dataDirectory: data, file })
    await server.close()
    const target = join(root, 'restored')
    await expect(restoreStore({ file, dataDirectory: target })).rejects.toThrow(
      /Name a directory for it with --cold-data/,
    )
    await expect(restoreStore({ file, dataDirectory: target, coldDirectory: cold })).rejects.toThrow(/is not empty/)
    const other = join(root, 'other-cold')
    await restoreStore({ file, dataDirectory: target, coldDirectory: other })
    const restored = await serve({ dataDirectory: target, coldAfterDays: 3650 })
    expect(restored.coldDirectory).toBe(other)
    expect(await names(restored)).toHaveLength(3)
    expect(await execute(restored.clickhouseUrl, "SELECT count() > 0 FROM system.parts WHERE disk_name = 'cold'")).toBe(
      '1\n',
    )
  }, 90_000)
})

describe('a full disk', () => {
  test('fails a backup, which leaves nothing behind; with free space the backup succeeds', async (context) => {
    const disk = smallDisk()
    if (disk === undefined) return context.skip(NO_SMALL_DISK)
    const { data } = made
    const file = join(disk, 'backup.tar')
    const free = fill(disk)
    const full = {
      code: 'disk_full',
      message: expect.stringMatching(
        /backup\.tar is full: 0\.1 MiB are free, and the file needs \d+\.\d MiB\. Free some space/,
      ) as string,
    }
    await expect(backupStore({ dataDirectory: data, file })).rejects.toMatchObject(full)
    expect(readdirSync(disk)).toEqual(['ballast'])
    expect(readdirSync(join(data, 'store/shadow'))).toEqual(['increment.txt'])
    free()
    await backupStore({ dataDirectory: data, file })
    await checkBackup({ file })
  }, 60_000)

  test('fails a restore, while it writes and while ClickHouse checks it; with free space the restore succeeds', async (context) => {
    const disk = smallDisk()
    if (disk === undefined) return context.skip(NO_SMALL_DISK)
    const { file, report } = made
    const dataDirectory = join(disk, 'data')
    for (const left of [64 << 10, report.bytes + (128 << 10)]) {
      const free = fill(disk, left)
      await expect(restoreStore({ file, dataDirectory })).rejects.toMatchObject({ code: 'disk_full' })
      expect(readdirSync(dataDirectory)).not.toContain('restoring')
      expect(readdirSync(join(dataDirectory, 'store'))).toEqual([])
      free()
    }
    await restoreStore({ file, dataDirectory })
    expect(await names(await serve({ dataDirectory }))).toHaveLength(3)
  }, 60_000)
})

describe('the indexer’s tables', () => {
  /** Each table that the indexer writes, with the query that reads it. */
  const rowsIn = async (url: string): Promise<Record<string, string>> => {
    const tables = [...Object.values(ROW_TABLES).map(({ name }) => name), 'superseded_imports', 'index_failures']
    const read = (name: string) =>
      execute(url, `SELECT * EXCEPT (Version) FROM otel.${name} FINAL ORDER BY ALL FORMAT JSONEachRow`)
    return Object.fromEntries(await Promise.all(tables.map(async (name) => [name, await read(name)] as const)))
  }
  /** Resolves when all sent spans are indexed: a list waits for them, up to a limit. */
  const indexed = ({ url }: RunningServer) =>
    vi.waitFor(async () => {
      const answer = (await (await fetch(`${url}/api/records`)).json()) as { readonly records: readonly unknown[] }
      expect(answer.records.length).toBeGreaterThanOrEqual(20)
    }, 30_000)
  const watermarks = ({ clickhouseUrl }: RunningServer) =>
    execute(clickhouseUrl, 'SELECT Source, Partition, max(Block) FROM otel.index_watermarks GROUP BY ALL ORDER BY ALL')
  const source = ({ clickhouseUrl }: RunningServer) =>
    execute(clickhouseUrl, "SELECT toString(uuid) FROM system.tables WHERE database = 'otel' AND name = 'otel_traces'")

  test('are restored with their positions, so that the spans are not indexed again', async () => {
    const root = temporaryDirectory()
    const data = join(root, 'data')
    const server = await serve({ dataDirectory: data })
    await sendPlans(server)
    await indexed(server)
    const before = await rowsIn(server.clickhouseUrl)
    const [positions, uuid] = await Promise.all([watermarks(server), source(server)])
    const file = join(root, 'backup.tar')
    await backupStore({ dataDirectory: data, file })
    await server.close()
    const restored = join(root, 'restored')
    await restoreStore({ file, dataDirectory: restored })
    const again = await serve({ dataDirectory: restored })
    expect(await rowsIn(again.clickhouseUrl)).toEqual(before)
    expect(await source(again)).toBe(uuid)
    expect(await watermarks(again)).toBe(positions)
  }, 120_000)

  test('receive, after the restore, the rows that were not written when the backup was made', async () => {
    const root = temporaryDirectory()
    const data = join(root, 'data')
    const server = await serve({ dataDirectory: data })
    await sendPlans(server)
    const file = join(root, 'backup.tar')
    await backupStore({ dataDirectory: data, file })
    await indexed(server)
    const expected = await rowsIn(server.clickhouseUrl)
    await server.close()
    const restored = join(root, 'restored')
    await restoreStore({ file, dataDirectory: restored })
    const again = await serve({ dataDirectory: restored })
    await vi.waitFor(async () => expect(await rowsIn(again.clickhouseUrl)).toEqual(expected), 30_000)
  }, 120_000)
})
