import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { startServer, type RunningServer, type ServerOptions } from '../../src/server/index.js'
import { createStore } from '../../src/store/index.js'
import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { execute } from '../support/clickhouse.js'
import { halfOldRecord, type HalfOldRecord } from '../support/half-old-record.js'

async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

const ask = ({ clickhouseUrl }: RunningServer, sql: string) => execute(clickhouseUrl, sql)

/** The days of the spans on each disk. */
async function places(server: RunningServer): Promise<Record<string, string[]>> {
  const rows = await ask(
    server,
    `SELECT disk_name AS disk, arraySort(groupUniqArray(partition)) AS days
     FROM system.parts WHERE database = 'otel' AND table = 'otel_traces' AND active AND rows > 0
     GROUP BY disk FORMAT JSONEachRow`,
  )
  const lines = rows.split('\n').filter((line) => line !== '')
  const disks = lines.map((line) => JSON.parse(line) as { disk: string; days: string[] })
  return Object.fromEntries(disks.map(({ disk, days }) => [disk, days]))
}

const waitForPlaces = (server: RunningServer, expected: Record<string, string[]>) =>
  vi.waitFor(async () => expect(await places(server)).toEqual(expected), { timeout: 30_000, interval: 50 })

const ttl = (server: RunningServer) =>
  ask(
    server,
    `SELECT extract(engine_full, ' TTL (.+?) SETTINGS') FROM system.tables WHERE name = 'otel_traces' FORMAT TSVRaw`,
  )

const move = (days: number) => `toDateTime(Timestamp) + toIntervalDay(${days}) TO VOLUME 'cold'`
const drop = (days: number) => `toDateTime(Timestamp) + toIntervalDay(${days})`

async function importRecord({ url }: RunningServer, { planId, text }: HalfOldRecord): Promise<void> {
  const imported = await fetch(`${url}/api/records`, { method: 'POST', body: text })
  expect(await imported.json()).toMatchObject({ records: [{ planId }] })
}

/** A data directory with an old and a recent record, and the cold directory. */
async function prepare() {
  const dataDirectory = temporaryDirectory()
  const coldDirectory = join(temporaryDirectory(), 'cold')
  const record = halfOldRecord()
  const { old, recent } = record
  const first = await start({ dataDirectory })
  await importRecord(first, record)
  await first.close()
  return { dataDirectory, coldDirectory, record, halfMoved: { cold: [old], default: [recent] } }
}

/** Expects that the plan is found and read as before the move. */
async function expectWhole(server: RunningServer, { planId, text }: HalfOldRecord): Promise<void> {
  const get = (path: string) => fetch(`${server.url}${path}`)
  const answer = await get(`/api/records/${planId}`)
  expect(answer.headers.get('planspan-verdict')).toBe('complete')
  expect(await answer.text()).toBe(text)
  expect(await (await get('/api/records')).json()).toMatchObject({ records: [{ planId, spans: 4 }] })
  expect(await ask(server, `SELECT PlanId, State FROM otel.plans`)).toBe(`${planId}\twaiting\n`)
  const store = createStore({ url: server.clickhouseUrl })
  const [found] = await store.traces.searchTraces({ service: 'planspan-import', limit: 10 })
  const [summary] = await store.traces.summarizeTraces([found?.traceId ?? ''])
  expect(summary).toMatchObject({ traceId: found?.traceId })
  await store.close()
}

describe('old spans', () => {
  it('move to the cold directory, stay readable, and stay there after moving is turned off', async () => {
    const { dataDirectory, coldDirectory, record, halfMoved } = await prepare()
    const moving = await start({ dataDirectory, coldDirectory, coldAfterDays: 3 })
    expect(moving.coldDirectory).toBe(coldDirectory)
    await waitForPlaces(moving, halfMoved)
    expect(await ttl(moving)).toBe(`${move(3)}\n`)
    await expectWhole(moving, record)
    await moving.close()

    const left = await start({ dataDirectory })
    expect(left.coldDirectory).toBe(coldDirectory)
    expect(await ttl(left)).toBe('\n')
    expect(await places(left)).toEqual(halfMoved)
    await expectWhole(left, record)
    await ask(left, `ALTER TABLE otel.otel_traces MOVE PARTITION '${record.old}' TO VOLUME 'default'`)
    expect(await places(left)).toEqual({ default: [record.old, record.recent] })
    await expectWhole(left, record)
  })

  it('move and expire according to the options of each start', async () => {
    const { dataDirectory, coldDirectory, record, halfMoved } = await prepare()
    const steps: [Partial<ServerOptions>, string, Record<string, string[]>][] = [
      [
        { coldDirectory, coldAfterDays: 20, retentionDays: 30 },
        `${drop(30)}, ${move(20)}`,
        { default: [record.old, record.recent] },
      ],
      [{ coldAfterDays: 4, retentionDays: 30 }, `${drop(30)}, ${move(4)}`, halfMoved],
      [{ retentionDays: 40 }, drop(40), halfMoved],
      [{ coldAfterDays: 20 }, move(20), halfMoved],
    ]
    for (const [options, expectedTtl, expectedPlaces] of steps) {
      const server = await start({ dataDirectory, ...options })
      expect(await ttl(server)).toBe(`${expectedTtl}\n`)
      await waitForPlaces(server, expectedPlaces)
      await expectWhole(server, record)
      await server.close()
    }
    const dropping = await start({ dataDirectory, coldAfterDays: 2, retentionDays: 3 })
    await waitForPlaces(dropping, { default: [record.recent] })
  })

  it('are not silently missing when their disk is gone: no server starts until it is back', async () => {
    const { dataDirectory, coldDirectory, record, halfMoved } = await prepare()
    const moving = await start({ dataDirectory, coldDirectory, coldAfterDays: 3 })
    await waitForPlaces(moving, halfMoved)
    await moving.close()
    const moved = `${coldDirectory}-moved`
    renameSync(coldDirectory, moved)
    mkdirSync(coldDirectory)
    await expect(startServer({ port: 0, dataDirectory, coldAfterDays: 3 })).rejects.toMatchObject({
      code: 'cold_data_missing',
    })
    const back = await start({ dataDirectory, coldDirectory: moved })
    await expectWhole(back, record)
  })

  it('are not silently missing when ClickHouse dies while their disk is gone: ClickHouse is not restarted', async () => {
    const { dataDirectory, coldDirectory } = await prepare()
    const { embedded } = await start({ dataDirectory, coldDirectory, coldAfterDays: 3 })
    renameSync(coldDirectory, `${coldDirectory}-moved`)
    process.kill(embedded?.pid ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(embedded?.failure?.code).toBe('cold_data_missing'), { timeout: 30_000 })
  })

  it('are missing from their record when their disk is lost, and everything else continues to work', async () => {
    const dataDirectory = temporaryDirectory()
    const coldDirectory = join(temporaryDirectory(), 'cold')
    const record = halfOldRecord()
    const moving = await start({ dataDirectory, coldDirectory, coldAfterDays: 3 })
    await importRecord(moving, record)
    expect(await places(moving)).toEqual({ cold: [record.old], default: [record.recent] })
    await moving.close()
    rmSync(coldDirectory, { recursive: true })
    rmSync(join(dataDirectory, 'cold.json'))
    const left = await start({ dataDirectory, coldDirectory })
    expect(await places(left)).toEqual({ default: [record.recent] })
    const answer = await fetch(`${left.url}/api/records/${record.planId}`)
    expect(answer.headers.get('planspan-verdict')).toBe('partial')
    expect(await answer.json()).toMatchObject({ planId: record.planId, agentExecutionSequence: [{ stepId: 'step-b' }] })
  })

  it('are readable by a read-only server, which leaves moving to the writing server', async () => {
    const { dataDirectory, coldDirectory, record, halfMoved } = await prepare()
    const moving = await start({ dataDirectory, coldDirectory, coldAfterDays: 3 })
    await waitForPlaces(moving, halfMoved)
    const clickhouse = moving.embedded?.readerUrl ?? ''
    const coldVolume = 'planspan.cold'
    for (const same of [{}, { coldAfterDays: 3, coldVolume }]) {
      const reading = await start({ clickhouse, ...same })
      await expectWhole(reading, record)
      await reading.close()
    }
    await expect(startServer({ port: 0, clickhouse, coldAfterDays: 4, coldVolume })).rejects.toMatchObject({
      message: expect.stringMatching(/otel_traces.*may not change.*--cold-after/) as string,
    })
    expect(await ttl(moving)).toBe(`${move(3)}\n`)
  })
})

describe('conflicting options are rejected:', () => {
  const clickhouse = 'http://127.0.0.1:1'
  it.each<[ServerOptions, RegExp]>([
    [{ coldAfterDays: 3 }, /Name it with --cold-data/],
    [
      { coldAfterDays: 30, retentionDays: 30 },
      /dropped after 30 days and move after 30 days.*--cold-after.*--retention/,
    ],
    [{ coldAfterDays: 31, retentionDays: 30 }, /dropped after 30 days/],
    [{ coldAfterDays: 1.5 }, /whole number of days from 1 to 10000, not 1.5/],
    [{ coldAfterDays: 10_001 }, /whole number of days/],
    [{ retentionDays: 36_500 }, /whole number of days/],
    [{ coldVolume: 'tiered.cold' }, /For the embedded one give --cold-data/],
    [{ clickhouse, coldDirectory: '/cold' }, /give --cold-volume/],
    [{ clickhouse, coldAfterDays: 3 }, /Give both, or neither/],
    [{ clickhouse, coldVolume: 'tiered.cold' }, /Give both, or neither/],
    [{ clickhouse, coldAfterDays: 3, coldVolume: 'cold' }, /as tiered.cold, not "cold"/],
  ])('%j', async (options, message) => {
    const dataDirectory = temporaryDirectory()
    await expect(startServer({ port: 0, dataDirectory, ...options })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(message) as string,
    })
  })
})
