import type { ModelPrice } from '../mapping/index.js'
import { querySql, type QueryTarget, readRows } from './query.js'

/** The newest price of a model in `model_prices`. */
export interface StoredPrice {
  readonly model: string
  readonly price: ModelPrice
  /** Unix milliseconds. */
  readonly updatedAt: number
}

/** Reads the newest price of each model. */
export async function readPrices(target: QueryTarget): Promise<StoredPrice[]> {
  interface Row {
    readonly model: string
    readonly input: number
    readonly output: number
    readonly cacheRead: number | null
    readonly cacheWrite: number | null
    readonly updatedAt: string
  }
  const rows = await readRows<Row>(target, querySql('prices', { database: target.database }))
  return rows.map(({ model, input, output, cacheRead, cacheWrite, updatedAt }) => ({
    model,
    price: { input, output, cacheRead: cacheRead ?? undefined, cacheWrite: cacheWrite ?? undefined },
    updatedAt: Number(updatedAt),
  }))
}
