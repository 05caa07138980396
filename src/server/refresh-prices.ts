import type { Store } from '../store/index.js'
import { loadPriceList } from './price-list.js'

const EVERY_MS = 10 * 60_000

/**
 * Prices the models that calls name, now and from time to time, where a price list is installed; the answer ends it.
 */
export async function startPriceRefresh(store: Store): Promise<() => void> {
  const priceOf = await loadPriceList()
  if (!priceOf) return () => {}
  // Costs are a convenience: what goes wrong is tried again the next time.
  const price = () => void store.priceModels(priceOf).catch(() => {})
  price()
  const timer = setInterval(price, EVERY_MS).unref()
  return () => clearInterval(timer)
}
