import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { recordIdOf, recordSegment } from '../../src/wire/record-path/index.js'

const IDS = ['plan-1', '', '.', '..', 'a/b', 'a\\b', '%2F', '%', '?', '#', ' ', '~', '~x', '漢 😀', '..%2Fspans', '\0']

describe('the path segment of a record', () => {
  test.each(IDS)('holds the id %j', (id) => {
    expect(recordIdOf(decodeURIComponent(recordSegment(id)))).toBe(id)
  })

  test('holds any id, and clients and proxies leave it as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (id) => {
        const segment = recordSegment(id)
        const { pathname, search, hash } = new URL(`http://localhost/api/records/${segment}/faults`)
        expect([pathname, search, hash]).toEqual([`/api/records/${segment}/faults`, '', ''])
        expect(segment).not.toMatch(/%2F|%5C/i)
        expect(recordIdOf(decodeURIComponent(segment))).toBe(id)
      }),
    )
  })

  test.each([
    ['plan-1', 'plan-1'],
    ['a b', 'a%20b'],
    ['..', '~Li4'],
    ['', '~'],
    ['a/b', '~YS9i'],
    ['~x', '~fng'],
    ['\ud800', '%EF%BF%BD'],
  ])('of %j is %s', (id, segment) => {
    expect(recordSegment(id)).toBe(segment)
  })

  test('holds a long id in fewer characters', () => {
    const id = '漢'.repeat(10_000)
    const segment = recordSegment(id)
    expect(segment).toHaveLength(40_001)
    expect(recordIdOf(segment)).toBe(id)
    expect(recordSegment('x'.repeat(60_000))).toHaveLength(60_000)
  })

  test('accepts an id that is percent-encoded once, and rejects a malformed escape', () => {
    expect(recordIdOf(decodeURIComponent('a%2Fb'))).toBe('a/b')
    expect(recordIdOf('~%')).toBeUndefined()
    expect(recordIdOf('~_w')).toBeUndefined()
  })
})
