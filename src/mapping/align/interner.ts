/** Assigns numbers to texts and lists. Equal values have the same number. */
export class Interner {
  readonly #numbers = new Map<string, number>()
  readonly #lists = new Map<string, number>()

  numberOf(text: string): number {
    return numberIn(this.#numbers, text)
  }

  /** Returns the number of a list of short values. */
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
