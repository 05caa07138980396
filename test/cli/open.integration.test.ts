import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startServer, type RunningServer } from '../../src/server/index.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { runCli } from './run-cli.js'

let fresh: FreshDatabase
let server: RunningServer

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ port: 0, clickhouse: fresh.url, database: fresh.database })
})
afterAll(async () => {
  await server.close()
  await fresh.drop()
})
const open = (...args: string[]) => runCli(['open', ...args, '--endpoint', server.url])

describe('planspan open', () => {
  it.each([
    ['the list without a plan', [], '/plans'],
    ['each of several plans', ['a plan', 'b'], '/plans/a%20plan /plans/b'],
    ['an id that no path can hold as it is', ['a/b', '..', ''], '/plans/~YS9i /plans/~Li4 /plans/~'],
    ['which record of an id is meant', ['a', '--source', 's', '--trace', 't'], '/plans/a?trace=t&source=s'],
  ])('prints the link to %s', async (_, args, paths) => {
    const { code, out } = await open(...args)
    const expected = paths.split(' ').map((path) => `${server.url}${path}`)
    expect({ code, lines: out.trim().split('\n') }).toEqual({ code: 0, lines: expected })
    expect((await fetch(expected[0] ?? '')).headers.get('content-type')).toContain('text/html')
  })

  it('prints no link if no server answers', async () => {
    const { code, out, err } = await runCli(['open', '--endpoint', 'http://127.0.0.1:2'])
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('No planspan server responds at http://127.0.0.1:2')
  })
})
