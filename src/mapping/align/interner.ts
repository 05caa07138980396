/** Numbers for texts and for lists: equal ones have the same. */
export class Interner {
  readonly #numbers = new Map<string, number>()
  readonly #lists = new Map<string, number>()

  numberOf(text: string): number {
    return numberIn(this.#numbers, text)
  }

  /** The number of several short values in their order. */
  numberOfAll(values: readonly (string | number | boolean | undefined)[]): number {
    return numberIn(this.#lists, values.join())
  }
}

function numberIn(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size)
  return numbers.size - 1
}
