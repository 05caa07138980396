import { type CostOfCall, type ModelPrice, pricedBy } from '../mapping/index.js'
import { noteIndexed, type QueryTarget, readPositions, readPrices, type SpanSource } from '../store/index.js'

/** The prices of models from the table `model_prices`. */
export class Prices {
  #prices: ReadonlyMap<string, ModelPrice> = new Map()
  /** The update time of each model's price at the last read, Unix milliseconds. */
  #read: ReadonlyMap<string, number> | undefined
  /** The update time of each model's price with which the recorded plans are indexed, Unix milliseconds. */
  #noted: ReadonlyMap<string, number> = new Map()

  /**
   * Reads the prices. Returns the models whose price has changed since the last read; at first, since the last record.
   */
  async read(target: QueryTarget, source: SpanSource): Promise<string[]> {
    if (!this.#read) this.#read = this.#noted = await readPositions(target, ofPrices(source))
    const before = this.#read
    const prices = await readPrices(target)
    this.#prices = new Map(prices.map(({ model, price }) => [model, price]))
    this.#read = new Map(prices.map(({ model, updatedAt }) => [model, updatedAt]))
    return prices.flatMap(({ model, updatedAt }) => (before.get(model) === updatedAt ? [] : [model]))
  }

  /** Records that all plans are indexed with the prices of the last read. */
  async note(target: QueryTarget, source: SpanSource): Promise<void> {
    if (!this.#read || this.#read === this.#noted) return
    const changed = [...this.#read].filter(([model, updatedAt]) => this.#noted.get(model) !== updatedAt)
    await noteIndexed(target, ofPrices(source), new Map(changed))
    this.#noted = this.#read
  }

  /** Returns the cost of a model call. */
  readonly costOf: CostOfCall = (call) => pricedBy(this.#prices)(call)
}

/** Returns the source under which the update times of prices are stored as positions, by model. */
const ofPrices = ({ id }: SpanSource) => ({ id: `${id}, prices` })
