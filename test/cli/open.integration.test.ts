import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { startServer, type RunningServer } from '../../src/server/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { runCli } from './run-cli.js'

let fresh: FreshDatabase
let server: RunningServer
let folder: string

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ port: 0, clickhouse: fresh.url, database: fresh.database })
})
afterAll(async () => {
  await server.close()
  await fresh.drop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planspan-open-'))
})
afterEach(() => rm(folder, { recursive: true }))

const open = (...args: string[]) => runCli(['open', ...args, '--endpoint', server.url])

describe('planspan open', () => {
  it('gives the address to the browser', async () => {
    const browser = join(folder, 'browser')
    await writeFile(browser, `#!/bin/sh\necho "$1" > '${join(folder, 'asked')}'\n`)
    await chmod(browser, 0o755)
    vi.stubEnv('BROWSER', browser)
    vi.stubEnv('DISPLAY', '')
    try {
      const { code, out } = await open('a plan')
      expect({ code, out: out.trim() }).toEqual({ code: 0, out: `${server.url}/plans/a%20plan` })
      const asked = () => readFile(join(folder, 'asked'), 'utf8')
      await vi.waitFor(async () => expect(await asked()).toBe(`${server.url}/plans/a%20plan\n`), 20_000)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it.each([
    ['the list without a plan', [], '/plans'],
    ['each of several plans', ['a', 'b'], '/plans/a /plans/b'],
    ['an id that no path can hold', ['a/b'], '/plans?planId=a%2Fb'],
    ['which record of an id is meant', ['a', '--source', 's', '--trace', 't'], '/plans/a?trace=t&source=s'],
  ])('tells the address of %s', async (_, args, paths) => {
    const { code, out } = await open(...args, '--print')
    const expected = paths.split(' ').map((path) => `${server.url}${path}`)
    expect({ code, lines: out.trim().split('\n') }).toEqual({ code: 0, lines: expected })
    expect((await fetch(expected[0] ?? '')).headers.get('content-type')).toContain('text/html')
  })

  it('opens nothing where no server answers', async () => {
    const { code, out, err } = await runCli(['open', '--endpoint', 'http://127.0.0.1:2'])
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('No planspan server answers at http://127.0.0.1:2')
  })
})
