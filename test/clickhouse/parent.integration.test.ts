import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { startClickHouse } from '../../src/clickhouse/index.js'
import { execute } from '../support/clickhouse.js'
import { type CompiledSource, compileSource, startParent } from './compiled.js'
import { isRunning } from './is-running.js'
import { temporaryDirectory } from './temporary-directory.js'

let source: CompiledSource

beforeAll(() => {
  source = compileSource()
})

afterAll(() => source.remove())

async function parentOf(dataDirectory: string) {
  const parent = await startParent(source, dataDirectory)
  onTestFinished(() => {
    if (isRunning(parent.pid)) process.kill(parent.pid, 'SIGKILL')
  })
  return parent
}

describe('the parent process of an embedded ClickHouse', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)('ends its ClickHouse when it ends by %s', async (signal) => {
    const { pid, clickhouse } = await parentOf(temporaryDirectory())
    expect(isRunning(clickhouse.pid)).toBe(true)
    process.kill(pid, signal)
    await vi.waitFor(() => expect(isRunning(clickhouse.pid)).toBe(false), { timeout: 10_000 })
  })

  it('keeps its ClickHouse after Ctrl-C reached the whole process group', async () => {
    const { pid, nextLine } = await parentOf(temporaryDirectory())
    const answer = nextLine()
    process.kill(-pid, 'SIGINT')
    expect(await answer).toBe('42\n')
  })

  it('leaves a data directory that can be started at once after SIGKILL', async () => {
    const dataDirectory = temporaryDirectory()
    const { pid, clickhouse } = await parentOf(dataDirectory)
    await execute(clickhouse.url, 'CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n')
    await execute(clickhouse.url, 'INSERT INTO kept VALUES (42)')
    process.kill(pid, 'SIGKILL')
    const next = await startClickHouse({ dataDirectory, httpPort: Number(new URL(clickhouse.url).port) })
    onTestFinished(() => next.stop())
    expect(await execute(next.url, 'SELECT n FROM kept')).toBe('42\n')
    expect(isRunning(clickhouse.pid)).toBe(false)
  })

  it('may leave a frozen ClickHouse, which the next start ends', async () => {
    const dataDirectory = temporaryDirectory()
    const { pid, clickhouse } = await parentOf(dataDirectory)
    onTestFinished(() => {
      if (isRunning(clickhouse.pid)) process.kill(clickhouse.pid, 'SIGKILL')
    })
    process.kill(clickhouse.pid, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    const next = await startClickHouse({ dataDirectory })
    onTestFinished(() => next.stop())
    expect(isRunning(clickhouse.pid)).toBe(false)
    expect(await execute(next.url, 'SELECT 1')).toBe('1\n')
  })

  it('is named when another process needs the data directory', async () => {
    const dataDirectory = temporaryDirectory()
    const { pid } = await parentOf(dataDirectory)
    await expect(startClickHouse({ dataDirectory })).rejects.toMatchObject({
      code: 'data_directory_in_use',
      message: expect.stringContaining(`process ${pid} since `),
    })
  })
})
