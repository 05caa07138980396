export { type CallTokens, costOf, type ModelPrice, totalTokensOf } from './call-cost.js'
export { callTokensOf, type CostOfCall, pricedBy, tokensOf } from './call-tokens.js'
export { highest, sumOf, usageBelow, usageOf } from './usage-below.js'
export type { TokenUsage } from './usage-below.js'
