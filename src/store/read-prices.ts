import type { ModelPrice } from '../mapping/index.js'
import { querySql, type QueryTarget, readRows } from './query.js'

/** The newest price of a model in `model_prices`, US dollars per million tokens. */
export interface StoredPrice {
  readonly model: string
  readonly input: number
  readonly output: number
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  /** Unix milliseconds. */
  readonly updatedAt: string
}

/** Reads the newest price of each model as it is stored. */
export const readStoredPrices = (target: QueryTarget): Promise<StoredPrice[]> =>
  readRows(target, querySql('prices', { database: target.database }))

/** Reads the newest price of each model. */
export async function readPrices(target: QueryTarget): Promise<Map<string, ModelPrice>> {
  const rows = await readStoredPrices(target)
  return new Map(
    rows.map(({ model, input, output, cacheRead, cacheWrite }) => [
      model,
      { input, output, cacheRead: cacheRead ?? undefined, cacheWrite: cacheWrite ?? undefined },
    ]),
  )
}
