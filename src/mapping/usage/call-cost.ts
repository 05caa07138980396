import { PRICED_TOKENS, TOKENS_PER_PRICE } from '../../semconv/index.js'

/** The tokens of a model call. */
export interface CallTokens {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  /** The total, if a record does not separate input and output tokens. */
  readonly statedTotalTokens?: number | undefined
}

/** The price of a model's tokens in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** @default the price of other input */
  readonly cacheRead?: number | undefined
  /** @default the price of other input */
  readonly cacheWrite?: number | undefined
}

/** Returns the tokens that a call read and wrote; undefined if the call reports none. */
export function totalTokensOf({ inputTokens, outputTokens, statedTotalTokens }: CallTokens): number | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return statedTotalTokens
  return (inputTokens ?? 0) + (outputTokens ?? 0)
}

/** Returns the cost of a model call in US dollars; undefined without a price or without tokens. */
export function costOf(tokens: CallTokens, price: ModelPrice | undefined): number | undefined {
  if (price === undefined || totalTokensOf(tokens) === undefined) return undefined
  const costs = PRICED_TOKENS.map(({ tokens: kind, except, price: own, otherwise }) => {
    const excepted = except.reduce((sum, one) => sum + (tokens[one] ?? 0), 0)
    const count = (tokens[kind] ?? 0) - excepted
    const usd = price[own] ?? (otherwise === undefined ? 0 : price[otherwise])
    return (except.length === 0 ? count : Math.max(count, 0)) * usd
  })
  return costs.reduce((sum, cost) => sum + cost, 0) / TOKENS_PER_PRICE
}
