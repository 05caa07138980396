import type { ModelPrice, PriceList } from '../store/index.js'

/** The price list of the optional peer @pydantic/genai-prices; undefined if it is not installed. No network is used. */
export async function loadPriceList(): Promise<PriceList | undefined> {
  const { calcPrice } = (await import('@pydantic/genai-prices').catch(() => undefined)) ?? {}
  if (!calcPrice) return undefined
  return (model): ModelPrice | undefined => {
    const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, model)?.model_price
    const input = firstTier(found?.['input_mtok'])
    const output = firstTier(found?.['output_mtok'])
    if (input === undefined || output === undefined) return undefined
    return {
      input,
      output,
      cacheRead: firstTier(found?.['cache_read_mtok']),
      cacheWrite: firstTier(found?.['cache_write_mtok']),
    }
  }
}

const firstTier = (price: number | { readonly base: number } | null | undefined): number | undefined =>
  typeof price === 'object' ? price?.base : price
