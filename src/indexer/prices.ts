import { type CostOfCall, type ModelPrice, pricedBy } from '../mapping/index.js'
import { type QueryTarget, readPrices } from '../store/index.js'

/** The prices of models, as the table `model_prices` has them. */
export class Prices {
  #prices: ReadonlyMap<string, ModelPrice> | undefined

  /** Reads the prices. Returns the models whose price has changed since they were read last; none at first. */
  async read(target: QueryTarget): Promise<string[]> {
    const before = this.#prices
    this.#prices = await readPrices(target)
    if (before === undefined) return []
    return [...this.#prices].flatMap(([model, price]) => (isSame(before.get(model), price) ? [] : [model]))
  }

  /** The cost of a model call. */
  readonly costOf: CostOfCall = (call) => pricedBy(this.#prices ?? NO_PRICES)(call)
}

const NO_PRICES: ReadonlyMap<string, ModelPrice> = new Map()

const isSame = (a: ModelPrice | undefined, b: ModelPrice): boolean =>
  a !== undefined &&
  a.input === b.input &&
  a.output === b.output &&
  a.cacheRead === b.cacheRead &&
  a.cacheWrite === b.cacheWrite
