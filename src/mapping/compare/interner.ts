/** Numbers for texts: equal ones have the same. */
export class Interner {
  readonly #numbers = new Map<string, number>()

  numberOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }

  /** The number of several values in their order; texts among them by their own numbers. */
  numberOfAll(values: readonly (string | number | boolean | undefined)[]): number {
    return this.numberOf(values.map((value) => (typeof value === 'string' ? `#${this.numberOf(value)}` : value)).join())
  }
}
