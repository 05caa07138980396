import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  type EmbeddedClickHouse,
  type EmbeddedClickHouseOptions,
  type EmbeddedClickHouseState,
  startClickHouse,
} from '../../src/clickhouse/index.js'
import { execute } from '../support/clickhouse.js'
import { isRunning } from './is-running.js'
import { temporaryDirectory } from './temporary-directory.js'

async function start(options: EmbeddedClickHouseOptions): Promise<EmbeddedClickHouse> {
  const clickhouse = await startClickHouse(options)
  onTestFinished(() => clickhouse.stop())
  return clickhouse
}

describe('an embedded ClickHouse', () => {
  it('keeps its data, its passwords and its ports between runs, and reports where they are', async () => {
    const dataDirectory = temporaryDirectory()
    const first = await start({ dataDirectory })
    await execute(first.url, 'CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n')
    await execute(first.url, 'INSERT INTO kept VALUES (42)')
    await first.stop()
    expect(isRunning(first.pid)).toBe(false)

    const second = await start({ dataDirectory })
    expect([second.httpPort, second.nativePort]).toEqual([first.httpPort, first.nativePort])
    expect(second.url).toBe(first.url)
    expect(second.readerUrl).toBe(first.readerUrl)
    expect(await execute(second.readerUrl, 'SELECT n FROM kept')).toBe('42\n')
    expect(second.logFile).toBe(join(dataDirectory, 'clickhouse.log'))
    for (const file of readdirSync(dataDirectory)) {
      expect([file, statSync(join(dataDirectory, file)).mode & 0o077]).toEqual([file, 0])
    }
  })

  it('keeps using the tables in `default` that an earlier version left', async () => {
    const dataDirectory = temporaryDirectory()
    const first = await start({ dataDirectory })
    await execute(first.url, 'CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n')
    await execute(first.url, 'INSERT INTO kept VALUES (42)')
    await first.stop()
    rmSync(join(dataDirectory, 'store/metadata/default.sql'))
    const second = await start({ dataDirectory })
    expect(await execute(second.readerUrl, 'SELECT n FROM kept')).toBe('42\n')
  })

  it('lets its reader read the databases that exist at the start and the named databases, and nothing else', async () => {
    const dataDirectory = temporaryDirectory()
    const names = ['there', 'named', 'm-1', 'm-2', 'my `db` ü\\', 'neither']
    const quoted = (name: string) => `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``
    const create = async ({ url }: EmbeddedClickHouse, databases: readonly string[]) => {
      for (const name of databases) {
        await execute(url, `CREATE DATABASE ${quoted(name)}`)
        await execute(url, `CREATE TABLE ${quoted(name)}.t ENGINE = MergeTree ORDER BY n AS SELECT 1 AS n`)
      }
    }
    const first = await start({ dataDirectory })
    await create(first, ['there', 'my `db` ü\\'])
    await first.stop()
    const second = await start({ dataDirectory, databases: ['named', 'm-*'] })
    await create(second, ['named', 'm-1', 'm-2', 'neither'])
    const read = names.map((name) => execute(second.readerUrl, `SELECT n FROM ${quoted(name)}.t`))
    const answers = await Promise.allSettled(read)
    expect(answers.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, true, true, false])
  })

  it('is restarted on the same ports, with its data, when it dies', async () => {
    const states: EmbeddedClickHouseState[] = []
    const clickhouse = await start({
      dataDirectory: temporaryDirectory(),
      onStateChange: (state) => states.push(state),
    })
    const { url, pid } = clickhouse
    await execute(url, 'CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n')
    await execute(url, 'INSERT INTO kept VALUES (42)')
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(states).toEqual(['ready', 'restarting', 'ready']), { timeout: 20_000 })
    expect(clickhouse.pid).not.toBe(pid)
    expect(await execute(url, 'SELECT n FROM kept')).toBe('42\n')
    await clickhouse.stop()
    expect(states.at(-1)).toBe('stopped')
  })

  it('is restarted however often it dies, and reports the reason when it keeps dying', async () => {
    const reported: [EmbeddedClickHouseState, string | undefined][] = []
    const clickhouse = await start({
      dataDirectory: temporaryDirectory(),
      onStateChange: (state, failure) => reported.push([state, failure?.message]),
    })
    const ready = () => vi.waitFor(() => expect(clickhouse.state).toBe('ready'), { timeout: 30_000, interval: 20 })
    for (let death = 1; death <= 6; death++) {
      await ready()
      const { pid } = clickhouse
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => expect(clickhouse.state).toBe('restarting'), { timeout: 10_000, interval: 1 })
      expect(clickhouse.failure === undefined).toBe(death < 5)
    }
    expect(clickhouse.failure).toMatchObject({
      code: 'clickhouse_failed',
      message: expect.stringMatching(
        /keeps dying.*after at most 10 s each time.*SIGKILL.*clickhouse\.log.*Listening for http/s,
      ),
    })
    await ready()
    expect(await execute(clickhouse.url, 'SELECT 1')).toBe('1\n')
    expect(clickhouse.failure).toBeUndefined()
    const reasons = reported.filter(([, reason]) => reason !== undefined).map(([state]) => state)
    expect(reasons).toEqual(['restarting', 'restarting'])
  })

  it('stops once, however often it is closed, also during a restart', async () => {
    const dataDirectory = temporaryDirectory()
    const clickhouse = await start({ dataDirectory })
    process.kill(clickhouse.pid, 'SIGKILL')
    await vi.waitFor(() => expect(clickhouse.state).toBe('restarting'), { timeout: 10_000, interval: 1 })
    await Promise.all([clickhouse.stop(), clickhouse.stop()])
    await clickhouse.stop()
    expect(clickhouse.state).toBe('stopped')
    expect(isRunning(clickhouse.pid)).toBe(false)
    await start({ dataDirectory })
  })

  it('survives SIGINT and ends on SIGTERM', async () => {
    const clickhouse = await start({ dataDirectory: temporaryDirectory() })
    const { pid } = clickhouse
    process.kill(pid, 'SIGINT')
    expect(await execute(clickhouse.url, 'SELECT 1')).toBe('1\n')
    process.kill(pid, 'SIGTERM')
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 })
  })
})

describe('starting an embedded ClickHouse', () => {
  it('is rejected while another instance holds the data directory, and names it', async () => {
    const dataDirectory = temporaryDirectory()
    const clickhouse = await start({ dataDirectory })
    await expect(startClickHouse({ dataDirectory })).rejects.toMatchObject({
      code: 'data_directory_in_use',
      message: expect.stringMatching(/in use by this process since \d{4}-\d\d-\d\dT/),
    })
    expect(await execute(clickhouse.url, 'SELECT 1')).toBe('1\n')
  })

  it.each(['httpPort', 'nativePort'])('is rejected if the %s is in use', async (option) => {
    const server = createServer()
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve())
    })
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const options = { dataDirectory: temporaryDirectory(), [option]: port }
    await expect(startClickHouse(options)).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(String(port)),
    })
  })

  it('is rejected below a regular file', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    await expect(startClickHouse({ dataDirectory: join(file, 'data') })).rejects.toMatchObject({
      code: 'data_directory_unwritable',
    })
  })

  it('reports ClickHouse’s output when it exits at once, and leaves nothing behind', async () => {
    const dataDirectory = temporaryDirectory()
    const metadata = join(dataDirectory, 'store', 'metadata')
    mkdirSync(metadata, { recursive: true })
    writeFileSync(join(metadata, 'broken.sql'), 'nonsense')
    const failure = { code: 'clickhouse_failed', message: expect.stringContaining('broken.sql') }
    await expect(startClickHouse({ dataDirectory })).rejects.toMatchObject(failure)
    await expect(startClickHouse({ dataDirectory })).rejects.toMatchObject(failure)
  })
})
