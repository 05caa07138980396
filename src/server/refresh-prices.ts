import type { Store } from '../store/index.js'
import { loadPriceList } from './price-list.js'

const INTERVAL_MS = 10 * 60_000

/**
 * Fills in the prices of the models in use, now and at an interval, if a price list is installed. Returns a function
 * that stops the refresh.
 */
export async function startPriceRefresh(store: Store): Promise<() => void> {
  const priceOf = await loadPriceList()
  if (!priceOf) return () => {}
  // Costs are a convenience: a failed refresh is simply retried at the next interval.
  const price = () => void store.priceModels(priceOf).catch(() => {})
  price()
  const timer = setInterval(price, INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
