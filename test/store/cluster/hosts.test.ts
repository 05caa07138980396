import { describe, expect, it, test } from 'vitest'

import { compareHosts } from '../../../src/store/cluster/compare-hosts.js'
import { hasReplicas, hostUrls, namedUrls } from '../../../src/store/cluster/hosts.js'

const host = (shard: number, name: string) => ({ shard, name })

describe('the hosts of a cluster', () => {
  it.each([
    ['http://user:p%40ss@one:8123', ['http://user:p%40ss@one:8123/', 'http://user:p%40ss@ch-2.internal:8123/']],
    ['https://one', ['https://one/', 'https://ch-2.internal/']],
  ])('have the port and the user of %s', (clickhouse, urls) => {
    expect(hostUrls([host(1, 'one'), host(2, 'ch-2.internal')], clickhouse)).toEqual(urls)
  })

  test('may be IPv6 addresses', () => {
    expect(hostUrls([host(1, 'fd00::1')], 'http://one:8123')).toEqual(['http://[fd00::1]:8123/'])
  })

  it.each([
    ['each shard has one', [host(1, 'a'), host(2, 'b')], false],
    ['a shard has two', [host(1, 'a'), host(1, 'b'), host(2, 'c')], true],
  ])('are detected as replicas or shards: %s', (_what, hosts, expected) => {
    expect(hasReplicas(hosts)).toBe(expected)
  })

  test('that are given by name use the user of the first URL unless they have their own', () => {
    expect(namedUrls('http://a:1, http://u:v@b:2,http://me@c:3', 'http://me:secret@x:8123')).toEqual([
      'http://me:secret@a:1/',
      'http://u:v@b:2/',
      'http://me:secret@c:3/',
    ])
    expect(namedUrls('http://a:1,nonsense', undefined)).toEqual(['http://a:1,nonsense'])
    expect(namedUrls('http://me:se,cret@a:1,http://b:2', undefined)).toEqual(['http://me:se,cret@a:1/', 'http://b:2/'])
  })
})

describe('hosts that differ', () => {
  const schema = (parts: Record<string, string>) => new Map(Object.entries(parts))

  test('are grouped by their tables', () => {
    const hosts = new Map([
      ['a', schema({ t: 'MergeTree ORDER BY x', 't.x': 'String' })],
      ['b', schema({ t: 'MergeTree ORDER BY x', 't.x': 'Int8' })],
      ['c', schema({ t: 'MergeTree ORDER BY x', 't.x': 'String' })],
    ])
    expect(compareHosts(hosts)).toEqual(['t.x: a, c has String; b has Int8'])
  })

  test('are reported as missing a table, without each of its columns', () => {
    const hosts = new Map([
      ['a', schema({ t: 'MergeTree', 't.x': 'String', 't.y': 'String' })],
      ['b', schema({})],
    ])
    expect(compareHosts(hosts)).toEqual(['t: a has MergeTree; b lacks it'])
  })
})
