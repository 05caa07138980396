import { type CostOfCall, type ModelPrice, pricedBy } from '../mapping/index.js'
import { noteIndexed, type QueryTarget, readPositions, readPrices, type SpanSource } from '../store/index.js'

/** The prices of models, as the table `model_prices` has them. */
export class Prices {
  #prices: ReadonlyMap<string, ModelPrice> = new Map()
  /** When the price of each model was updated, Unix milliseconds, as it was read last. */
  #read: ReadonlyMap<string, number> | undefined
  /** The same, as the plans are priced that are noted as indexed. */
  #noted: ReadonlyMap<string, number> = new Map()

  /** Reads the prices. Returns the models whose price has changed since they were read last, or since the last note. */
  async read(target: QueryTarget, source: SpanSource): Promise<string[]> {
    if (!this.#read) this.#read = this.#noted = await readPositions(target, ofPrices(source))
    const before = this.#read
    const prices = await readPrices(target)
    this.#prices = new Map(prices.map(({ model, price }) => [model, price]))
    this.#read = new Map(prices.map(({ model, updatedAt }) => [model, updatedAt]))
    return prices.flatMap(({ model, updatedAt }) => (before.get(model) === updatedAt ? [] : [model]))
  }

  /** Notes that all plans are indexed with the prices that were read last. */
  async note(target: QueryTarget, source: SpanSource): Promise<void> {
    if (!this.#read || this.#read === this.#noted) return
    const changed = [...this.#read].filter(([model, updatedAt]) => this.#noted.get(model) !== updatedAt)
    await noteIndexed(target, ofPrices(source), new Map(changed))
    this.#noted = this.#read
  }

  /** The cost of a model call. */
  readonly costOf: CostOfCall = (call) => pricedBy(this.#prices)(call)
}

/** Positions have a source; those of prices are models and the times of their prices. */
const ofPrices = ({ id }: SpanSource) => ({ id: `${id}, prices` })
