import { existsSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'

import { closeFunctions, keepDefaultDatabase } from '../../src/clickhouse/file-access.js'
import { writeConfiguration } from '../../src/clickhouse/configuration.js'
import { readOrCreateCredentials } from '../../src/clickhouse/credentials.js'
import { openDataDirectory } from '../../src/clickhouse/data-directory.js'
import { lockDirectory } from '../../src/clickhouse/directory-lock.js'
import { locateEngine } from '../../src/clickhouse/engine.js'
import { type EngineStart, startEngineProcess } from '../../src/clickhouse/engine-process.js'
import { reservePorts } from '../../src/clickhouse/ports.js'
import { temporaryDirectory } from './temporary-directory.js'

async function prepare(): Promise<EngineStart> {
  const engine = locateEngine()
  const directory = openDataDirectory(temporaryDirectory())
  const lock = await lockDirectory(directory, engine)
  const stop = new AbortController()
  onTestFinished(() => {
    stop.abort()
    lock.release()
  })
  const credentials = readOrCreateCredentials(directory)
  const ports = await reservePorts({ http: 0, native: 0 })
  keepDefaultDatabase(directory)
  writeConfiguration(directory, { ports, credentials, grants: [], coldDirectory: undefined, fsync: false })
  return { engine, directory, lock, credentials, httpPort: ports.http, onSlowStart: () => {}, signal: stop.signal }
}

it('does not run a ClickHouse whose reader can read files through unrestricted functions', async () => {
  const start = await prepare()
  await expect(startEngineProcess(start)).rejects.toMatchObject({
    code: 'clickhouse_failed',
    message: expect.stringMatching(/lets the user for dashboards read files.*npm install chdb/),
  })
  closeFunctions(start.directory)
  expect(await startEngineProcess(start)).toMatchObject({ pid: expect.any(Number) })
  expect(existsSync(start.directory.start)).toBe(false)
})
