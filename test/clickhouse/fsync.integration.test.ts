import { expect, it, onTestFinished } from 'vitest'

import { startClickHouse } from '../../src/clickhouse/index.js'
import { execute } from '../support/clickhouse.js'
import { temporaryDirectory } from './temporary-directory.js'

it.each([true, false])(
  'fsync %j decides whether an insert is synced to disk before it is acknowledged',
  async (fsync) => {
    const clickhouse = await startClickHouse({ dataDirectory: temporaryDirectory(), fsync })
    onTestFinished(() => clickhouse.stop())
    const { url } = clickhouse
    const synced = async (event: string) =>
      Number(await execute(url, `SELECT sum(value) FROM system.events WHERE event = '${event}'`))
    await execute(url, 'CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n')
    const [files, directories] = [await synced('FileSync'), await synced('DirectorySync')]
    await execute(url, 'INSERT INTO kept VALUES (42)')
    expect((await synced('FileSync')) > files).toBe(fsync)
    expect((await synced('DirectorySync')) > directories).toBe(fsync)
  },
)
