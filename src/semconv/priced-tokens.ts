/** A kind of tokens with its own price. */
interface PricedTokens {
  readonly tokens: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'
  /** The kinds that `tokens` includes and that are priced separately. */
  readonly except: readonly ('cacheReadTokens' | 'cacheWriteTokens')[]
  readonly price: 'input' | 'output' | 'cacheRead' | 'cacheWrite'
  /** The fallback for a model whose price list lacks `price`. */
  readonly otherwise?: 'input'
}

/** The priced kinds of tokens of a model call, in the order in which their costs are added. */
export const PRICED_TOKENS: readonly PricedTokens[] = [
  { tokens: 'inputTokens', except: ['cacheReadTokens', 'cacheWriteTokens'], price: 'input' },
  { tokens: 'cacheReadTokens', except: [], price: 'cacheRead', otherwise: 'input' },
  { tokens: 'cacheWriteTokens', except: [], price: 'cacheWrite', otherwise: 'input' },
  { tokens: 'outputTokens', except: [], price: 'output' },
]

/** Prices are in US dollars per this many tokens. */
export const TOKENS_PER_PRICE = 1_000_000
