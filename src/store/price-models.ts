import { querySql, readRows, type QueryTarget } from './query.js'

/** US dollars a million tokens; of a model with tiers those of the first. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

/** What a model costs; undefined for one that the list lacks. */
export type PriceList = (model: string) => ModelPrice | undefined

/** Notes the prices of models that calls name and `model_prices` lacks; answers which. Rows that are there stay. */
export async function priceModels(target: QueryTarget, priceOf: PriceList): Promise<string[]> {
  const { client, database } = target
  const unpriced = await readRows<{ model: string }>(target, querySql('unpriced_models', { database }))
  const rows = unpriced.flatMap(({ model }) => {
    const price = priceOf(model)
    return price ? [rowOf(model, price)] : []
  })
  if (rows.length > 0) {
    await client.insert({
      table: `${database}.model_prices`,
      values: rows,
      columns: COLUMNS,
      format: 'JSONEachRow',
      clickhouse_settings: { async_insert: 0, distributed_foreground_insert: 1 },
    })
  }
  return rows.map(({ Model }) => Model)
}

const COLUMNS: [string, ...string[]] = [
  'Model',
  'InputUsdPerMillionTokens',
  'OutputUsdPerMillionTokens',
  'CacheReadUsdPerMillionTokens',
  'CacheWriteUsdPerMillionTokens',
]

const rowOf = (model: string, { input, output, cacheRead, cacheWrite }: ModelPrice) => ({
  Model: model,
  InputUsdPerMillionTokens: input,
  OutputUsdPerMillionTokens: output,
  CacheReadUsdPerMillionTokens: cacheRead ?? null,
  CacheWriteUsdPerMillionTokens: cacheWrite ?? null,
})
