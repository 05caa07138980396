import type { ModelPrice } from '../mapping/index.js'
import { storeError } from './client/store-error.js'
import { querySql, readRows, type QueryTarget } from './client/query.js'

/** A list of model prices, which also matches models by rules. */
export interface PriceList {
  /** The names in the list. */
  readonly models: readonly string[]
  /** Undefined for a model that it does not know. */
  priceOf(model: string): ModelPrice | undefined
}

export interface PriceModelsOptions {
  /** The time from which calls count as recent, Unix milliseconds. @default 0 */
  readonly since?: number
  /** The models in use. @default the models of recent calls */
  readonly inUse?: readonly string[]
  /** Models that were priced before and are skipped; models of this call are added. @default none */
  readonly checked?: Set<string>
}

/** Rows of price lists are dated by counting milliseconds from 1970, so that any row that a person adds is newer. */
const LISTS_END = Date.UTC(2000, 0)

/**
 * Writes the prices of a list into `model_prices`, for the models of the list and the models in use. Returns the models
 * whose price was missing or has changed. Prices that people added stay.
 */
export async function priceModels(
  target: QueryTarget,
  { models, priceOf }: PriceList,
  { since = 0, inUse, checked = new Set() }: PriceModelsOptions = {},
): Promise<string[]> {
  const { client, database } = target
  const used = inUse ?? (await readModels(target, since))
  const asked = new Set([...models, ...used].filter((model) => !checked.has(model)))
  if (asked.size === 0) return []
  const stored = await readPrices(target)
  const known = new Map(stored.map((row) => [row.model, row]))
  const ofLists = stored.map(({ updatedAt }) => updatedAt).filter((time) => time < LISTS_END)
  const updatedAt = ofLists.reduce((latest, time) => Math.max(latest, time), 0) + 1
  const rows = [...asked].flatMap((model) => {
    const present = known.get(model)
    if (present && present.updatedAt >= LISTS_END) return []
    const price = priceOf(model)
    return !price || (present && isSame(present.price, price)) ? [] : [rowOf(model, price, updatedAt)]
  })
  if (rows.length > 0) {
    try {
      await client.insert({
        table: `${database}.model_prices`,
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: { async_insert: 0, distributed_foreground_insert: 1 },
      })
    } catch (error) {
      throw storeError(error, target)
    }
  }
  for (const model of asked) checked.add(model)
  return rows.map(({ Model }) => Model)
}

/** Reads the models that calls name: by their spans' names, and since a time (Unix milliseconds) by attributes. */
async function readModels(target: QueryTarget, since: number): Promise<string[]> {
  await target.indexed?.()
  const sql = querySql('models_in_use', { database: target.database })
  const rows = await readRows<{ model: string }>(target, sql, { since: Math.floor(since / 1000) })
  return rows.map(({ model }) => model)
}

const isSame = (a: ModelPrice, b: ModelPrice): boolean =>
  a.input === b.input && a.output === b.output && a.cacheRead === b.cacheRead && a.cacheWrite === b.cacheWrite

const rowOf = (model: string, { input, output, cacheRead, cacheWrite }: ModelPrice, updatedAt: number) => ({
  Model: model,
  InputUsdPerMillionTokens: input,
  OutputUsdPerMillionTokens: output,
  CacheReadUsdPerMillionTokens: cacheRead ?? null,
  CacheWriteUsdPerMillionTokens: cacheWrite ?? null,
  UpdatedAt: new Date(updatedAt).toISOString().slice(0, -1).replace('T', ' '),
})

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
