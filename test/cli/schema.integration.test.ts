import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { execute } from '../support/clickhouse.js'
import { startShards, type Shards } from '../support/cluster.js'
import { runCli, startServe } from './run-cli.js'

let shards: Shards

beforeAll(async () => {
  shards = await startShards()
})
afterAll(() => shards.drop())

const apply = (hosts = shards.shardUrls.join(), ...options: string[]) =>
  runCli(['schema', '--cluster', shards.name, '--database', shards.database, '--apply', '--hosts', hosts, ...options])

const shown = () => shards.shardUrls.map((url) => url.replace(/:[^:@]*@/, '@').replace(/\/$/, ''))

describe('planspan schema --apply', () => {
  test('creates the tables on each host, and shows no password', async () => {
    const { code, out, err } = await apply()
    expect({ code, out: out.trim().split('\n'), err }).toEqual({
      code: 0,
      out: shown().map((url) => `ok    ${url}`),
      err: '',
    })
    for (const url of shards.shardUrls) {
      expect(await execute(url, `EXISTS ${shards.database}.otel_traces_local`)).toBe('1\n')
    }
  })

  test('prints the same as JSON', async () => {
    const { code, out } = await apply(undefined, '--json')
    const reported = { hosts: shown().map((url) => ({ url, failure: null })), differences: [] }
    expect([code, JSON.parse(out)]).toEqual([0, reported])
  })

  test('sets the retention that serve uses, and no other', async () => {
    const cluster = ['--clickhouse', shards.url, '--hosts', shards.shardUrls.join(), '--database', shards.database]
    const target = [...cluster, '--retention']
    const refused = await runCli(['serve', '--port', '0', ...target, '3000'])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--apply --retention 3000')])
    expect((await apply(undefined, '--retention', '3000')).code).toBe(0)
    const serving = await startServe([...target, '3000'])
    expect(await serving.end('SIGTERM')).toEqual([0, null])
  })

  test('exits with 1 when the hosts differ, and reports how', async () => {
    await execute(shards.url, `ALTER TABLE ${shards.database}.plan_keys_local ADD COLUMN Extra String`)
    const { code, out, err } = await apply()
    expect(code).toBe(1)
    expect(out).toContain(`plan_keys_local.Extra: ${shown()[0]!} has String; ${shown()[1]!} lacks it\n`)
    expect(err).toContain('The hosts differ')
    await execute(shards.url, `ALTER TABLE ${shards.database}.plan_keys_local DROP COLUMN Extra`)
  })

  test('exits with 3 when a host cannot be reached, and names it', async () => {
    const { code, out, err } = await apply(`${shards.url},http://127.0.0.1:2`)
    expect(code).toBe(3)
    expect(out).toMatch(
      /^ok {4}http.*\nfail {2}http:\/\/127\.0\.0\.1:2 {2}ClickHouse at http:\/\/127\.0\.0\.1:2 does not answer/,
    )
    expect(err).toContain('1 of 2 hosts failed')
  })

  test.each([
    ['no cluster', [], /--apply requires --cluster NAME/],
    ['an invalid retention', ['--cluster', 'shards', '--retention', '0'], /--retention takes a whole number/],
    ['an unknown cluster', ['--cluster', 'other'], /no cluster "other"/],
  ])('exits with 2 for %s', async (_what, args, message) => {
    const { code, err } = await runCli(['schema', '--apply', '--clickhouse', shards.url, ...args])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})
