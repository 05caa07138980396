import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'

import { startClickHouse } from '../../src/clickhouse/index.js'
import { startServer, type ServerOptions } from '../../src/server/index.js'
import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { execute } from '../support/clickhouse.js'
import { halfOldRecord } from '../support/half-old-record.js'
import { freePorts } from './free-ports.js'

/** The keys of an S3 server for this test. */
const KEYS = { ROOT_ACCESS_KEY: 'planspan', ROOT_SECRET_KEY: 'a-secret-of-this-test' }

/** Starts an S3 server with the bucket `my-bucket`, until the end of the test; resolves to its directory. */
async function startS3(port: number): Promise<string> {
  const [buckets, attributes] = [temporaryDirectory(), temporaryDirectory()]
  const bucket = join(buckets, 'my-bucket')
  mkdirSync(bucket)
  const args = ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', attributes, buckets]
  const program = spawn(inject('goBinaries').s3, args, { env: KEYS, stdio: 'ignore' })
  const ended = once(program, 'exit')
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await ended
  })
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/my-bucket`), { timeout: 20_000 })
  return bucket
}

/** The storage configuration of docs/deployment.md, with the bucket of this test. */
function storageConfiguration(port: number): string {
  const page = readFileSync(new URL('../../docs/deployment.md', import.meta.url), 'utf8')
  const [, xml = ''] = /^## Cold data\n[^]*?```xml\n([^]*?)```/m.exec(page) ?? []
  return xml
    .replace(/https:.*(?=\/my-bucket\/)/, `http://127.0.0.1:${port}`)
    .replace(/(?<=<access_key_id>)…/, KEYS.ROOT_ACCESS_KEY)
    .replace(/(?<=<secret_access_key>)…/, KEYS.ROOT_SECRET_KEY)
}

test('old spans move to an object store, stay readable there, also after a restart, and expire there', async () => {
  const [port = 0] = await freePorts(1)
  const bucket = await startS3(port)
  const dataDirectory = temporaryDirectory()
  mkdirSync(join(dataDirectory, 'config.d'))
  writeFileSync(join(dataDirectory, 'config.d/storage.xml'), storageConfiguration(port))
  const objects = () => readdirSync(bucket, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

  const serve = async (options: Partial<ServerOptions> = {}) => {
    const clickhouse = await startClickHouse({ dataDirectory })
    const server = await startServer({ port: 0, clickhouse: clickhouse.url, ...options })
    const end = async () => {
      await server.close()
      await clickhouse.stop()
    }
    onTestFinished(end)
    const waitForDisks = (disks: string) =>
      vi.waitFor(async () => expect(await execute(clickhouse.url, DISKS)).toBe(disks), { timeout: 60_000 })
    return { url: server.url, waitForDisks, end }
  }
  const { planId, text, old, recent } = halfOldRecord()
  const first = await serve()
  expect((await fetch(`${first.url}/api/records`, { method: 'POST', body: text })).status).toBe(200)
  await first.end()

  const age = { retentionDays: 365, coldAfterDays: 3, coldVolume: 'tiered.cold' }
  for (let restart = 0; restart < 2; restart += 1) {
    const server = await serve(age)
    await server.waitForDisks(`default\t${recent}\nobject_store\t${old}\n`)
    expect(objects().length).toBeGreaterThan(0)
    expect(await (await fetch(`${server.url}/api/records/${planId}`)).text()).toBe(text)
    await server.end()
  }

  const dropping = await serve({ ...age, retentionDays: 3, coldAfterDays: 2 })
  await dropping.waitForDisks(`default\t${recent}\n`)
})

const DISKS = `SELECT disk_name, partition FROM system.parts
               WHERE table = 'otel_traces' AND active AND rows > 0 ORDER BY ALL`
