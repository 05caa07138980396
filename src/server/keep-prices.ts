import { PlanspanError } from '../error.js'
import type { PriceList, Store } from '../store/index.js'

/** How often prices are looked up for what collectors have written. */
const INTERVAL_MS = 10_000
/** The shortest time between two looks. */
const PAUSE_MS = 1000
/** Calls whose spans' names have no model are looked for at that interval, among those that started so recently. */
const RECENT_MS = 10 * 60_000

export interface Pricing {
  /** Prices the models that have come under names that no list has; soon, and at most once a second. */
  look(): void
  /** Calls back after prices have changed. */
  onChange(callback: () => void): void
  stop(): void
}

/** Writes the prices of a list, and from then on those of other models that are used. */
export async function keepPrices(store: Store, list: PriceList): Promise<Pricing> {
  const checked = new Set<string>()
  let pause: NodeJS.Timeout | undefined
  let isAsked = false
  let isStopped = false
  let changed = () => {}
  const look = () => {
    isAsked = true
    if (pause || isStopped) return
    isAsked = false
    pause = setTimeout(() => {
      pause = undefined
      if (isAsked) look()
    }, PAUSE_MS).unref()
    void price(Date.now())
  }
  const timer = setInterval(() => void price(Date.now() - RECENT_MS), INTERVAL_MS).unref()
  const stop = () => {
    isStopped = true
    clearInterval(timer)
    clearTimeout(pause)
  }
  await price(Date.now())
  void price(0)
  const onChange = (callback: () => void) => {
    changed = callback
  }
  return { look, onChange, stop }

  /** Costs are a convenience: what fails is tried again at the next look. Who may not write leaves it to who may. */
  async function price(since: number): Promise<void> {
    try {
      if ((await store.priceModels(list, { since, checked })).length > 0) changed()
    } catch (error) {
      if (error instanceof PlanspanError && error.code === 'access_denied') stop()
    }
  }
}
