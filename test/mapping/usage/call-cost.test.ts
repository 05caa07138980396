import { expect, test } from 'vitest'

import {
  costOf,
  type CallTokens,
  type ModelPrice,
  pricedBy,
  type SpanNode,
  totalTokensOf,
} from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'

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

test.each<[string, Record<string, string>, number | undefined]>([
  ['the cost that it reports', { [ATTR.requestModel]: 'm', [ATTR.usageCostUsd]: '0.25' }, 0.25],
  ['the price of the requested model', { [ATTR.requestModel]: 'm', [ATTR.responseModel]: 'n' }, 3],
  ['that of the model that responded', { [ATTR.requestModel]: 'a deployment', [ATTR.responseModel]: 'm' }, 3],
  ['no price', { [ATTR.requestModel]: 'a deployment' }, undefined],
])('a call costs %s', (_, attributes, cost) => {
  const prices = new Map([
    ['m', price],
    ['n', { input: 1, output: 1 }],
  ])
  const span = { pending: false, attributes: { [ATTR.usageInputTokens]: String(MILLION), ...attributes } }
  expect(pricedBy(prices)({ span } as unknown as SpanNode)).toBe(cost)
})
