import { PlanspanError } from '../error.js'
import type { Store } from '../store/index.js'
import { loadPriceList } from './price-list.js'

/** How often prices are looked up for what collectors have written. */
const INTERVAL_MS = 10_000
/** The shortest time between two looks. */
const PAUSE_MS = 1000
/** Calls whose spans' names have no model are looked for among those that started so recently. */
const RECENT_MS = 3_600_000

export interface Pricing {
  /** Prices the models that have come under names that no list has; soon, and at most once a second. */
  look(): void
  stop(): void
}

/** Writes the prices of all known models, and from then on those of others that are used. */
export async function keepPrices(store: Store): Promise<Pricing> {
  const list = await loadPriceList()
  const isPriced = await price(Date.now() - RECENT_MS)
  // Who may not write leaves it to those who may.
  if (!isPriced) return { look() {}, stop() {} }
  void price(0)
  let pause: NodeJS.Timeout | undefined
  let isAsked = false
  let isStopped = false
  const look = () => {
    isAsked = true
    if (pause || isStopped) return
    isAsked = false
    pause = setTimeout(() => {
      pause = undefined
      if (isAsked) look()
    }, PAUSE_MS).unref()
    void price(Date.now() - RECENT_MS)
  }
  const timer = setInterval(look, INTERVAL_MS).unref()
  return {
    look,
    stop() {
      isStopped = true
      clearInterval(timer)
      clearTimeout(pause)
    },
  }

  /** Costs are a convenience: what fails is tried again at the next look. */
  async function price(since: number): Promise<boolean> {
    try {
      await store.priceModels(list, { since })
      return true
    } catch (error) {
      return !(error instanceof PlanspanError && error.code === 'access_denied')
    }
  }
}
