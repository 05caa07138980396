import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'

import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { execute } from '../support/clickhouse.js'
import { halfOldRecord } from '../support/half-old-record.js'
import { MAIN, runCli, startServe } from './run-cli.js'

function writeRecord(): string {
  const path = join(temporaryDirectory(), 'record.json')
  writeFileSync(path, halfOldRecord().text)
  return path
}

test('doctor reports the disks of the spans, and spans that should have moved', async () => {
  const [data, cold] = [temporaryDirectory(), temporaryDirectory()]
  const store = await startServe(['--data', data, '--cold-data', cold])
  expect(store.line.coldDirectory).toBe(cold)
  expect((await runCli(['import', writeRecord(), '--endpoint', store.line.url])).code).toBe(0)
  const doctor = async () => (await runCli(['doctor', '--endpoint', store.line.url])).out
  expect(await doctor()).not.toMatch(/[Oo]n the disk/)

  const { url: clickhouseUrl } = store.clickhouse
  await execute(clickhouseUrl, 'SYSTEM STOP MOVES otel.otel_traces')
  const age = ['--cold-after', '3', '--cold-volume', 'planspan.cold']
  const moving = await startServe(['--clickhouse', clickhouseUrl, ...age])
  expect(moving.line.coldDirectory).toBeNull()
  expect(await doctor()).toMatch(
    /^warn {2}Spans on the disk default are [456] days old, but should have moved to the volume cold after 3 days\. .*log/m,
  )
  await execute(clickhouseUrl, 'SYSTEM START MOVES otel.otel_traces')
  await vi.waitFor(
    async () => expect(await doctor()).toMatch(/^ok {4}The disk cold, volume cold, stores 3 rows of spans, .+ k?B/m),
    { timeout: 30_000 },
  )
  expect(await doctor()).toMatch(/^ok {4}The disk default, volume default, stores 1 row of spans, .+ kB$/m)
  expect(await doctor()).not.toMatch(/should have moved/)
  await moving.end('SIGTERM')
  await store.end('SIGTERM')
})

test('serve prints the cold directory and its purpose', async () => {
  const [data, cold] = [temporaryDirectory(), temporaryDirectory()]
  const reported = async (...args: string[]) => {
    const program = spawn(process.execPath, [MAIN, 'serve', '--data', data, '--port', '0', ...args])
    const ended = once(program, 'exit')
    for await (const line of createInterface({ input: program.stdout })) {
      if (!line.includes('Cold')) continue
      program.kill('SIGTERM')
      await ended
      return line
    }
    return undefined
  }
  expect(await reported('--cold-data', cold, '--cold-after', '30')).toContain(`${cold}  spans older than 30 days`)
  expect(await reported()).toContain(`${cold}  spans that have moved; none move without --cold-after`)
})
