import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ExportLine } from '../../src/wire/index.js'

import { MAIN, runCli, startServe, type Serving } from './run-cli.js'

const PLANS = 12
const fixture = (path: string) => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url))
const waiting = readFileSync(fixture('lynxe/details-waiting-input.json'), 'utf8')

let directory: string
let serving: Serving
/** The output of `export` for all plans. */
let whole: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(directory, 'data')])
  const files = Array.from({ length: PLANS }, (_, at) => join(directory, `plan-${String(at)}.json`))
  for (const [at, file] of files.entries()) {
    writeFileSync(file, waiting.replaceAll('plan-1767061562002', `plan-${String(at)}`))
  }
  await runCli(['import', ...files, '--endpoint', serving.line.url])
  whole = (await exported()).out
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

const exported = (...args: string[]) => runCli(['export', '--endpoint', serving.line.url, ...args])
const linesOf = (text: string) => text.split('\n').slice(0, -1)
const parsed = (text: string) => linesOf(text).map((line) => JSON.parse(line) as ExportLine)

/** A proxy to the server that passes on the given number of bytes, and breaks off when the test says so. */
async function breakingProxy(bytes: number): Promise<{ url: string; breakOff(): void }> {
  const target = new URL(serving.line.url)
  const clients: Socket[] = []
  const server = createServer((client) => {
    clients.push(client)
    const upstream = connect(Number(target.port), target.hostname)
    let left = bytes
    client.pipe(upstream)
    upstream.on('data', (piece) => {
      if (left > 0) client.write(piece.subarray(0, left))
      left -= piece.length
    })
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('close', () => upstream.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    breakOff() {
      for (const client of clients) client.end()
      server.close()
    },
  }
}

describe('planspan export', () => {
  test('prints a line of JSON per record', () => {
    expect(
      parsed(whole)
        .map(({ planId }) => planId)
        .toSorted(),
    ).toEqual(Array.from({ length: PLANS }, (_, at) => `plan-${String(at)}`).toSorted())
    expect(parsed(whole)[0]).toMatchObject({ dialect: 'plan-execution', verdict: 'complete', state: 'waiting' })
  })

  test('writes exact texts, other dialects, and filtered plans', async () => {
    const exact = parsed((await exported('--exact')).out)
    expect(exact.find(({ planId }) => planId === 'plan-3')?.text).toBe(
      waiting.replaceAll('plan-1767061562002', 'plan-3'),
    )
    expect(parsed((await exported('--format', 'plan-act:events')).out)[0]).toMatchObject({ dialect: 'plan-act:events' })
    expect(await exported('--state', 'failed')).toMatchObject({ code: 1, out: '', err: 'No plan matches.\n' })
    expect(await exported('--format', 'csv')).toMatchObject({ code: 2, out: '' })
  })

  test('writes a file, and never overwrites one', async () => {
    const out = join(directory, 'all.jsonl')
    expect(await exported('--out', out)).toMatchObject({
      code: 0,
      out: '',
      err: `${String(PLANS)} records are in ${out}.\n`,
    })
    expect(readFileSync(out, 'utf8')).toBe(whole)
    expect(existsSync(`${out}.part`)).toBe(false)
    const again = await exported('--out', out)
    expect(again).toMatchObject({ code: 2 })
    expect(again.err).toContain(`${out} exists`)
  })

  test.each([0.2, 0.5, 0.9])('resumes after breaking off at %d of its length', async (share) => {
    const out = join(directory, `broken-${String(share)}.jsonl`)
    const { url, breakOff } = await breakingProxy(Math.floor(whole.length * share))
    const running = runCli(['export', '--endpoint', url, '--out', out])
    await vi.waitFor(() => expect(statSync(`${out}.part`).size).toBeGreaterThan(0), { timeout: 30_000 })
    breakOff()
    const broken = await running
    expect(broken.code).toBe(3)
    expect(existsSync(out)).toBe(false)
    const [, cursor = ''] = /broke off after \d+ records .* --resume ([\w-]+) --out/.exec(broken.err) ?? []
    const part = readFileSync(`${out}.part`, 'utf8')
    expect(whole.startsWith(part)).toBe(true)
    expect(part.endsWith('\n')).toBe(true)
    expect((await exported('--out', out)).err).toContain('is left from an incomplete export')
    appendFileSync(`${out}.part`, whole.slice(part.length, part.length + 30))
    expect(await exported('--out', out, '--resume', cursor)).toMatchObject({ code: 0 })
    expect(readFileSync(out, 'utf8')).toBe(whole)
  })

  test('does not resume a missing file', async () => {
    const out = join(directory, 'none.jsonl')
    const cursor = parsed(whole)[0]?.cursor ?? ''
    expect((await exported('--out', out, '--resume', cursor)).err).toContain(`There is no ${out}.part to continue`)
    expect((await exported('--resume', cursor)).out).toBe(whole.slice(whole.indexOf('\n') + 1))
    expect(await exported('--resume', 'nope')).toMatchObject({ code: 2 })
  })

  test('leaves no file if there is no server', async () => {
    const out = join(directory, 'unreachable.jsonl')
    expect((await runCli(['export', '--endpoint', 'http://127.0.0.1:1', '--out', out])).code).toBe(3)
    expect(existsSync(`${out}.part`)).toBe(false)
  })

  test('exits when its reader has read enough', async () => {
    const child = spawn(process.execPath, [MAIN, 'export', '--endpoint', serving.line.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await ended).toEqual([0, null])
  })
})
