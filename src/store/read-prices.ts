import type { ModelPrice } from '../mapping/index.js'
import { querySql, type QueryTarget, readRows } from './query.js'

/** Reads the newest price of each model, US dollars per million tokens. */
export async function readPrices(target: QueryTarget): Promise<Map<string, ModelPrice>> {
  interface Row {
    model: string
    input: number
    output: number
    cacheRead: number | null
    cacheWrite: number | null
  }
  const rows = await readRows<Row>(target, querySql('read_prices', { database: target.database }))
  return new Map(
    rows.map(({ model, input, output, cacheRead, cacheWrite }) => [
      model,
      { input, output, cacheRead: cacheRead ?? undefined, cacheWrite: cacheWrite ?? undefined },
    ]),
  )
}
