const MAX_DEPTH = 200

/** JSON text of a value, and how many parts of it could not be written and were left out. */
export interface JsonText {
  readonly text: string | undefined
  readonly dropped: number
}

/** Writes any value as JSON text without throwing: a bigint becomes its digits (in a
 * string when it is nested), what can't be written is left out. */
export function jsonText(value: unknown): JsonText {
  if (typeof value === 'bigint') return { text: String(value), dropped: 0 }
  try {
    const text: string | undefined = JSON.stringify(value)
    return { text, dropped: text === undefined ? 1 : 0 }
  } catch {
    return lenientJsonText(value)
  }
}

function lenientJsonText(value: unknown): JsonText {
  const copy = new PlainCopy()
  try {
    const text: string | undefined = JSON.stringify(copy.of(value, 0))
    return { text, dropped: copy.dropped + (text === undefined ? 1 : 0) }
  } catch {
    return { text: undefined, dropped: 1 }
  }
}

/** Copies a value to plain data that JSON.stringify takes: no cycles, no bigints, no getters that throw. */
class PlainCopy {
  dropped = 0
  readonly #ancestors = new Set<object>()

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (this.#ancestors.has(value) || depth > MAX_DEPTH) return this.#drop()
    this.#ancestors.add(value)
    try {
      const json = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value
      if (json !== value) return this.of(json, depth + 1)
      if (Array.isArray(value)) return value.map((item) => this.of(item, depth + 1))
      return this.#members(value, depth)
    } catch {
      return this.#drop()
    } finally {
      this.#ancestors.delete(value)
    }
  }

  #members(value: object, depth: number): Record<string, unknown> {
    const members: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      try {
        const member = this.of((value as Record<string, unknown>)[key], depth + 1)
        Object.defineProperty(members, key, { value: member, enumerable: true })
      } catch {
        this.dropped++
      }
    }
    return members
  }

  #drop(): undefined {
    this.dropped++
    return undefined
  }
}
