import type { MatchLogic } from '@pydantic/genai-prices'

import { PlanspanError } from '../../error.js'
import type { ModelPrice } from '../../mapping/index.js'
import type { PriceList, PriceModelsOptions, Store } from '../../store/index.js'
import { priceNames } from './price-names.js'

/** The interval of reading the models of recent calls from the store. */
const INTERVAL_MS = 10_000
/** The minimum time between two price lookups for indexed calls. */
const PAUSE_MS = 1000
/** The age of recent calls. */
const RECENT_MS = 10 * 60_000

interface Pricing {
  /** Receives the models of indexed calls, and looks up missing prices at most once a second. */
  look(models: Iterable<string>): void
  /** Calls back after prices have changed. */
  onChange(callback: () => void): void
  stop(): void
}

/** Writes the prices of a list, and from then on the prices of other used models. */
export async function keepPrices(store: Store, list: PriceList): Promise<Pricing> {
  const checked = new Set<string>()
  let pause: NodeJS.Timeout | undefined
  const unpriced = new Set<string>()
  let isStopped = false
  let changed = () => {}
  const look = (models: Iterable<string>) => {
    for (const model of models) if (!checked.has(model)) unpriced.add(model)
    if (unpriced.size === 0 || pause || isStopped) return
    pause = setTimeout(() => {
      pause = undefined
      look([])
    }, PAUSE_MS).unref()
    const inUse = [...unpriced]
    unpriced.clear()
    void price({ inUse })
  }
  const timer = setInterval(() => void price({ since: Date.now() - RECENT_MS }), INTERVAL_MS).unref()
  const stop = () => {
    isStopped = true
    clearInterval(timer)
    clearTimeout(pause)
  }
  await price({ since: Date.now() })
  void price({ since: 0 })
  const onChange = (callback: () => void) => {
    changed = callback
  }
  return { look, onChange, stop }

  /** Costs are a convenience: failures are retried at the next lookup, and users without write access skip it. */
  async function price(options: PriceModelsOptions): Promise<void> {
    try {
      if ((await store.priceModels(list, { ...options, checked })).length > 0) changed()
    } catch (error) {
      if (error instanceof PlanspanError && error.code === 'access_denied') stop()
    }
  }
}

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
  const lookUp = (name: string) => {
    for (const { model, provider } of priceNames(name)) {
      const options = { timestamp, ...(provider !== undefined && { providerId: provider }) }
      const price = pricesIn(calcPrice({ input_tokens: 1, output_tokens: 1 }, model, options)?.model_price)
      if (price !== undefined) return price
    }
    return undefined
  }
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
