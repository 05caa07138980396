import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

import { freshDatabase } from '../support/clickhouse.js'

const run = promisify(execFile)

test('docs/sql.md lists the views’ columns, and the results of its queries', async () => {
  const { url, database, drop } = await freshDatabase()
  try {
    const env = { ...process.env, CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database }
    const { stdout } = await run(process.execPath, ['scripts/sql-docs.mjs', '--check'], { env })
    expect(Number(/^(\d+) queries answered/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(15)
  } finally {
    await drop()
  }
})
