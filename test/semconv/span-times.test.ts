import { expect, test } from 'vitest'

import { isSpanTime, spanTimesOf } from '../../src/semconv/index.js'

const nanos = (iso: string): bigint => BigInt(Date.parse(iso)) * 1_000_000n

test('spans start between the given number of years ago and a week ahead', () => {
  const times = spanTimesOf(10, Date.parse('2026-11-23T12:00:00Z'))
  expect(times).toEqual({ from: nanos('2016-11-23T12:00:00Z'), until: nanos('2026-11-30T12:00:00Z') })
  expect(spanTimesOf(1, Date.parse('2028-02-29T00:00:00Z')).from).toBe(nanos('2027-03-01T00:00:00Z'))
  expect(spanTimesOf(50, Date.parse('2000-01-01T00:00:00Z')).from).toBe(0n)
})

test('the first day of 1970 is always valid', () => {
  const times = { from: nanos('2016-11-23T12:00:00Z'), until: nanos('2026-11-30T12:00:00Z') }
  for (const time of [0n, nanos('1970-01-02T00:00:00Z') - 1n, times.from, times.until - 1n]) {
    expect(isSpanTime(time, times)).toBe(true)
  }
  for (const time of [-1n, nanos('1970-01-02T00:00:00Z'), times.from - 1n, times.until]) {
    expect(isSpanTime(time, times)).toBe(false)
  }
})
