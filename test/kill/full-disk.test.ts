import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished, type TestContext, vi } from 'vitest'

import { runCli, startServe, type Serving } from '../cli/run-cli.js'
import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { execute } from '../support/clickhouse.js'
import { fill, type ProgramDisk, programDisk, skipWithoutDisk } from '../support/small-disk.js'
import { PlanSender } from './plan-sender.js'

const MEGABYTES = 160
/** Enough for an insert into the journal, but not for one into the span tables and their lookups. */
const JOURNAL_ONLY = 2 << 20
const PATIENCE = { timeout: 30_000, interval: 100 }

/** ClickHouse's disk with its path, the free and the needed bytes. */
const namesDisk = (disk: ProgramDisk) =>
  expect.stringMatching(
    new RegExp(`disk default at ${disk.path}/data/store/ has \\d+\\.\\d MiB free.* needs 16\\.0 MiB`),
  )

/** A server on a small disk, with stored plans. */
class SmallServer {
  serving!: Serving
  sender!: PlanSender
  log = ''

  readonly disk: ProgramDisk

  constructor(disk: ProgramDisk) {
    this.disk = disk
  }

  static async start({ skip }: TestContext): Promise<SmallServer> {
    const disk = (await programDisk(MEGABYTES)) ?? skipWithoutDisk(skip)
    const server = new SmallServer(disk)
    await server.start()
    server.sender = new PlanSender(server)
    await server.sender.send(20)
    await indexed(server)
    return server
  }

  get url(): string {
    return this.serving.line.url
  }

  async start(): Promise<void> {
    const { path, seenAt, enter } = this.disk
    this.serving = await startServe(['--data', join(path, 'data')], {
      enter,
      data: join(seenAt, 'data'),
      log: (text) => (this.log += text),
    })
    onTestFinished(() => void this.serving.child.kill('SIGKILL'))
  }

  async kill(): Promise<void> {
    await this.serving.end('SIGKILL')
    this.log = ''
    // The engine ends with its parent.
    await setTimeout(1000)
  }

  cli(...args: string[]) {
    return runCli(args, { enter: this.disk.enter })
  }

  async get(path: string, init: RequestInit = {}) {
    const begun = performance.now()
    const response = await fetch(`${this.url}${path}`, { ...init, signal: AbortSignal.timeout(30_000) })
    return { status: response.status, text: await response.text(), ms: performance.now() - begun }
  }

  async counted() {
    const query = (of: string) => `SELECT count(), uniqExact(PlanId) FROM otel.plans WHERE PlanId IN (${of})`
    const ids = this.sender.acknowledged.map((id) => `'${id}'`).join(', ')
    const [rows, plans] = (await execute(this.serving.clickhouse.url, query(ids))).trim().split('\t').map(Number)
    return { rows, plans }
  }
}

/** Resolves when each acknowledged plan is in the list, once. */
async function indexed(server: SmallServer): Promise<void> {
  await vi.waitFor(async () => expect(await server.counted()).toEqual(server.sender.tally), PATIENCE)
}

/** All readers answer at once. */
async function checkReading(server: SmallServer): Promise<void> {
  const [first = ''] = server.sender.acknowledged
  const sql = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql: 'SELECT count() FROM plans' }),
  }
  for (const path of [
    `/api/records/${first}`,
    `/api/records/${first}/spans`,
    '/api/records?limit=1',
    '/api/sql',
    '/readyz?reading',
    '/metrics',
  ]) {
    const { status, text, ms } = await server.get(path, path === '/api/sql' ? sql : {})
    expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
    expect([path, ms < 8000]).toEqual([path, true])
  }
  const ready = await server.get('/readyz')
  expect([ready.status, JSON.parse(ready.text)]).toEqual([
    503,
    expect.objectContaining({ code: 'disk_full', reason: namesDisk(server.disk) }),
  ])
}

/** Everything acknowledged is stored once, and more is stored. */
async function checkStoring(server: SmallServer): Promise<void> {
  await vi.waitFor(async () => expect((await server.get('/readyz')).status).toBe(200), PATIENCE)
  await server.sender.send(5)
  await indexed(server)
}

it('that fills up while spans are sent ends no reading, and storing resumes by itself', async (context) => {
  const server = await SmallServer.start(context)
  const { sender, disk } = server
  const sending = sender.keepSending()
  await setTimeout(500)
  const free = fill(disk.seenAt, JOURNAL_ONLY)
  await vi.waitFor(() => expect(sender.rejected).toBeGreaterThan(5), PATIENCE)
  await checkReading(server)
  // The reserve has room for what is acknowledged.
  await indexed(server)
  fill(disk.seenAt, 0)
  await checkReading(server)
  expect(sender.refusals).toEqual([{ status: 503, retryAfter: '5', text: namesDisk(disk) }])
  free()
  await setTimeout(1000)
  await sending.stop()
  await checkStoring(server)
}, 90_000)

it('that is full at a start serves readers and reports what it needs; storing resumes by itself', async (context) => {
  const server = await SmallServer.start(context)
  const { sender, disk } = server
  const free = fill(disk.seenAt, JOURNAL_ONLY)
  const sending = sender.keepSending()
  await vi.waitFor(() => expect(sender.rejected).toBeGreaterThan(20), PATIENCE)
  await sending.stop()
  await indexed(server)
  fill(disk.seenAt, 0)
  await server.kill()
  fill(disk.seenAt, 0)
  await server.start()
  await checkReading(server)
  expect(server.log).toEqual(namesDisk(disk))
  const doctor = await server.cli('doctor', '--endpoint', server.url)
  expect([doctor.code, doctor.out]).toEqual([3, namesDisk(disk)])
  free()
  await checkStoring(server)
}, 90_000)

it('that filled up while the server was down shows what the journal contains', async (context) => {
  const server = await SmallServer.start(context)
  const { sender, disk } = server
  await sender.send(10)
  await server.kill()
  const free = fill(disk.seenAt, 0)
  await server.start()
  await vi.waitFor(async () => expect(await server.counted()).toEqual(sender.tally), PATIENCE)
  await checkReading(server)
  free()
  await checkStoring(server)
}, 90_000)

it('lets no backup and no erasure damage the store', async (context) => {
  const server = await SmallServer.start(context)
  const { disk, sender } = server
  const data = join(disk.path, 'data')
  const erased = sender.acknowledged[3]!
  const free = fill(disk.seenAt, 0)
  const files = [join(disk.path, 'backup.tar'), join(temporaryDirectory(), 'backup.tar')]
  for (const file of files) {
    const { code, err } = await server.cli('backup', file, '--data', data)
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(new RegExp(`${disk.path}/\\S+ is full: 0\\.\\d MiB are free`)),
    ])
  }
  const answer = await server.get(`/api/records/${erased}`, { method: 'DELETE' })
  expect([answer.status, answer.text]).toEqual([503, namesDisk(disk)])
  await server.kill()
  await server.start()
  await checkReading(server)
  free()
  await checkStoring(server)
  expect(await server.get(`/api/records/${erased}`, { method: 'DELETE' })).toMatchObject({ status: 204 })
  sender.forget(erased)
  await indexed(server)
  for (const file of files) {
    expect(await server.cli('backup', file, '--data', data)).toMatchObject({ code: 0 })
    if (disk.enter.length === 0) rmSync(file)
  }
}, 90_000)

it('that fills up during a backup leaves no file, and reports the free and the needed bytes', async (context) => {
  const server = await SmallServer.start(context)
  const { disk } = server
  const free = fill(disk.seenAt, 100 << 10)
  const file = join(disk.path, 'backup.tar')
  const { code, err } = await server.cli('backup', file, '--data', join(disk.path, 'data'))
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(/backup\.tar is full: 0\.\d MiB are free, and the file needs \d+\.\d MiB|is full: 0\.\d MiB/),
  ])
  expect(() => readFileSync(join(disk.seenAt, 'backup.tar'))).toThrow('ENOENT')
  expect(() => readFileSync(join(disk.seenAt, 'backup.tar.partial'))).toThrow('ENOENT')
  free()
  await checkStoring(server)
}, 90_000)

it('that fills up during an erasure neither hangs nor prevents a start', async (context) => {
  const server = await SmallServer.start(context)
  const { disk, sender } = server
  await sender.send(200)
  await indexed(server)
  const erased = sender.acknowledged.splice(0, 10)
  // What planspan itself prevents by a check of the space: ClickHouse writes an empty description of a mutation.
  const free = fill(disk.seenAt, 0)
  const deleting = `ALTER TABLE otel.otel_traces DELETE WHERE TraceId = '' SETTINGS mutations_sync = 0`
  await execute(server.serving.clickhouse.url, deleting).catch(() => {})
  await server.kill()
  await server.start()
  await checkReading(server)
  free()
  await checkStoring(server)
  for (const id of erased) {
    expect(await server.get(`/api/records/${id}`, { method: 'DELETE' })).toMatchObject({ status: 204 })
  }
}, 90_000)
