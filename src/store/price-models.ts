import { ATTR } from '../semconv/index.js'
import { factSql } from './foreign/fact-sql.js'
import { querySql, readRows, type QueryTarget } from './query.js'

/** Prices in US dollars per million tokens; of the first tier, if a model has several. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

/** Looks up the price of a model; undefined if the list does not have it. */
export type PriceList = (model: string) => ModelPrice | undefined

/** Adds the prices of models in use that `model_prices` lacks; returns the added models. Existing rows stay. */
export async function priceModels(target: QueryTarget, priceOf: PriceList): Promise<string[]> {
  const { client, database } = target
  const unpriced = await readRows<{ model: string }>(
    target,
    querySql('unpriced_models', {
      database,
      foreign_model: factSql('llm', ATTR.requestModel),
      foreign_response_model: factSql('llm', ATTR.responseModel),
    }),
  )
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
