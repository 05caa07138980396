import { expect, test } from 'vitest'

import { costOf, type CallTokens, type ModelPrice, totalTokensOf } from '../../../src/mapping/index.js'

const MILLION = 1_000_000
const price: ModelPrice = { input: 3, output: 15, cacheRead: 0.3 }

const cases: readonly [string, CallTokens, ModelPrice | undefined, number | undefined][] = [
  ['input and output', { inputTokens: MILLION, outputTokens: MILLION }, price, 18],
  ['input from a cache', { inputTokens: MILLION, cacheReadTokens: MILLION / 2 }, price, 1.65],
  ['a cache price that the list lacks', { inputTokens: MILLION, cacheWriteTokens: MILLION / 2 }, price, 3],
  ['more cached than read', { inputTokens: 0, cacheReadTokens: MILLION }, price, 0.3],
  ['a stated total alone', { statedTotalTokens: MILLION }, price, 0],
  ['no tokens', { cacheReadTokens: MILLION }, price, undefined],
  ['no price', { inputTokens: MILLION }, undefined, undefined],
]

test.each(cases)('%s', (_, tokens, ofModel, cost) => {
  if (cost === undefined) expect(costOf(tokens, ofModel)).toBeUndefined()
  else expect(costOf(tokens, ofModel)).toBeCloseTo(cost, 12)
})

test('the total is the sum of input and output, or what a record states', () => {
  expect(totalTokensOf({ inputTokens: 2, statedTotalTokens: 9 })).toBe(2)
  expect(totalTokensOf({ statedTotalTokens: 9 })).toBe(9)
  expect(totalTokensOf({})).toBeUndefined()
})
