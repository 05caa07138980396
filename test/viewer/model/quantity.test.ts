import { describe, expect, test } from 'vitest'

import { costText, countText, durationText } from '../../../viewer/src/model/quantity.js'

describe('formatting', () => {
  test.each([
    [0, '0 ms'],
    [0.25, '0.3 ms'],
    [840, '840 ms'],
    [999.6, '1.0 s'],
    [12_400, '12.4 s'],
    [59_970, '1 m'],
    [192_000, '3 m 12 s'],
    [3_599_900, '1 h'],
    [7_500_000, '2 h 5 m'],
    [86_399_000, '1 d'],
    [273_600_000, '3 d 4 h'],
    [-1, '–'],
  ])('a duration of %d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })

  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1.0k'],
    [99_949, '99.9k'],
    [99_950, '100k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [123_456_789, '123M'],
  ])('a count of %d is %s', (count, text) => {
    expect(countText(count)).toBe(text)
  })

  test.each([
    [0, '$0'],
    [12.4, '$12.40'],
    [0.01, '$0.01'],
    [0.0042, '$0.0042'],
    [0.00001, '<$0.0001'],
  ])('a cost of %d is %s', (usd, text) => {
    expect(costText(usd)).toBe(text)
  })
})
