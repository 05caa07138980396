/** A kind of tokens that has a price of its own. */
interface PricedTokens {
  readonly tokens: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'
  /** The kinds that `tokens` includes and that are priced separately. */
  readonly except: readonly ('cacheReadTokens' | 'cacheWriteTokens')[]
  readonly price: 'input' | 'output' | 'cacheRead' | 'cacheWrite'
  /** The price of a model whose price list lacks `price`. */
  readonly otherwise?: 'input'
}

/** The kinds of tokens by which a model call is priced, in the order in which their costs are added. */
export const PRICED_TOKENS: readonly PricedTokens[] = [
  { tokens: 'inputTokens', except: ['cacheReadTokens', 'cacheWriteTokens'], price: 'input' },
  { tokens: 'cacheReadTokens', except: [], price: 'cacheRead', otherwise: 'input' },
  { tokens: 'cacheWriteTokens', except: [], price: 'cacheWrite', otherwise: 'input' },
  { tokens: 'outputTokens', except: [], price: 'output' },
]

/** Prices are in US dollars per this many tokens. */
export const TOKENS_PER_PRICE = 1_000_000
