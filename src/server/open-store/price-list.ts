import type { MatchLogic } from '@pydantic/genai-prices'

import type { ModelPrice } from '../../mapping/index.js'
import type { PriceList } from '../../store/index.js'

/** The price list of @pydantic/genai-prices. No network is used. */
export async function loadPriceList(): Promise<PriceList> {
  // Half a megabyte of data: loaded by servers only.
  const { calcPrice, waitForUpdate } = await import('@pydantic/genai-prices')
  // Without an update, these are the providers of the package. A model is looked up at providers with a rule for names.
  const providers = ((await waitForUpdate()) ?? []).filter(({ model_match: rule }) => rule !== undefined)
  const models = providers.flatMap((provider) => provider.models.flatMap(({ id, match }) => [id, ...namesIn(match)]))
  const known = new Map<string, ModelPrice | undefined>()
  // Some prices depend on the hour. At noon the full price applies.
  const timestamp = new Date(new Date().setUTCHours(12, 0, 0, 0))
  const lookUp = (model: string) =>
    pricesIn(calcPrice({ input_tokens: 1, output_tokens: 1 }, model, { timestamp })?.model_price)
  return {
    models: [...new Set(models)],
    priceOf(model) {
      if (!known.has(model)) known.set(model, lookUp(model))
      return known.get(model)
    },
  }
}

type Prices = Readonly<Record<string, number | { readonly base: number } | undefined>>

function pricesIn(prices: Prices | undefined): ModelPrice | undefined {
  const input = firstTier(prices?.['input_mtok'])
  const output = firstTier(prices?.['output_mtok'])
  if (input === undefined || output === undefined) return undefined
  return {
    input,
    output,
    cacheRead: firstTier(prices?.['cache_read_mtok']),
    cacheWrite: firstTier(prices?.['cache_write_mtok']),
  }
}

const firstTier = (price: Prices[string]): number | undefined => (typeof price === 'object' ? price.base : price)

/** The literal names in a rule. */
function namesIn(rule: MatchLogic): string[] {
  if ('equals' in rule) return [rule.equals]
  return 'or' in rule ? rule.or.flatMap(namesIn) : []
}
