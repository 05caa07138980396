import { expect, test } from 'vitest'

import { RequestLimit } from '../../src/access/request-limit.js'

const LIMITS = { perSecond: 4, atOnce: 100 }

/** The number of accepted requests at a time. */
const taken = (limit: RequestLimit, now: number): number => {
  let count = 0
  while (limit.take(now)) count++
  return count
}

test('after a burst, requests are accepted at the rate of the limit', () => {
  const limit = new RequestLimit(LIMITS, 0)
  expect([0, 250, 500, 10_000].map((now) => taken(limit, now))).toEqual([4, 1, 1, 4])
})

test('a clock that is set back delays requests by at most a second', () => {
  const limit = new RequestLimit(LIMITS, 3_600_000)
  expect([3_600_000, 0, 1_000].map((now) => taken(limit, now))).toEqual([4, 0, 4])
})

test('a running request counts until it is released', () => {
  const limit = new RequestLimit({ perSecond: 100, atOnce: 2 }, 0)
  expect(taken(limit, 0)).toBe(2)
  limit.give()
  expect(taken(limit, 0)).toBe(1)
})

test('changed limits apply from the next request on', () => {
  const limit = new RequestLimit(LIMITS, 0)
  expect(taken(limit, 0)).toBe(4)
  limit.limits = { perSecond: 8, atOnce: 5 }
  expect(taken(limit, 1_000)).toBe(1)
})
