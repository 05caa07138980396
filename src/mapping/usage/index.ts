export { type CallTokens, costOf, type ModelPrice, totalTokensOf } from './call-cost.js'
export { callTokensOf, type CostOfCall, pricedBy, tokensOf } from './call-tokens.js'
export { highest, sumOf } from './sums.js'
export { type TokenUsage, usageBelow, usageOf } from './usage-below.js'
