const MAX_DEPTH = 200

/** The JSON text of a value, and the number of parts that were left out because they could not be written. */
export interface JsonText {
  readonly text: string | undefined
  readonly dropped: number
}

/**
 * Writes any value as JSON text without throwing, including values that JSON.stringify rejects, loses or inflates: a
 * bigint becomes its digits (as a string if it is nested), a Map an object or its entries, a Set or typed array a list,
 * bytes base64, an Error its name, message and own properties. Cycles, streams and generators are left out.
 */
export function jsonText(value: unknown): JsonText {
  if (typeof value === 'bigint') return { text: String(value), dropped: 0 }
  try {
    if (!isPlain(value, 0)) return copiedJsonText(value)
    const text: string | undefined = JSON.stringify(value)
    return { text, dropped: text === undefined ? 1 : 0 }
  } catch {
    return copiedJsonText(value)
  }
}

/** Whether JSON.stringify writes a value correctly, so that no copy is needed. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1))
  if (!isData(value)) return value instanceof Date
  for (const key in value) if (!isPlain((value as Record<string, unknown>)[key], depth + 1)) return false
  return true
}

/** Whether an object is plain rather than an instance of a class, whichever realm it comes from. */
function isData(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether a value is data rather than a service: text, a number, a truth value, a list or a plain object. */
export function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return /^(string|number|bigint|boolean)$/.test(typeof value)
  return Array.isArray(value) || isData(value)
}

function copiedJsonText(value: unknown): JsonText {
  const copy = new PlainCopy()
  try {
    const text: string | undefined = JSON.stringify(copy.of(value, 0))
    return { text, dropped: copy.dropped + (text === undefined && copy.dropped === 0 ? 1 : 0) }
  } catch {
    return { text: undefined, dropped: 1 }
  }
}

/** Copies a value to plain data for JSON.stringify: no cycles, no bigints, no getters that throw. */
class PlainCopy {
  dropped = 0
  readonly #ancestors = new Set<object>()

  of(value: unknown, depth: number): unknown {
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (this.#ancestors.has(value) || depth > MAX_DEPTH) return this.#drop()
    this.#ancestors.add(value)
    try {
      return this.#object(value, depth)
    } catch {
      return this.#drop()
    } finally {
      this.#ancestors.delete(value)
    }
  }

  #object(value: object, depth: number): unknown {
    const bytes = bytesOf(value)
    if (bytes) return bytes.toString('base64')
    const json = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value
    if (json !== value) return this.of(json, depth + 1)
    const list = listOf(value)
    if (list) return list.map((item) => this.of(item, depth + 1))
    const members = membersOf(value)
    return members ? this.#members(members, depth) : this.#drop()
  }

  #members(members: Iterable<readonly [string, () => unknown]>, depth: number): Record<string, unknown> {
    const copy: Record<string, unknown> = {}
    for (const [key, read] of members) {
      try {
        Object.defineProperty(copy, key, { value: this.of(read(), depth + 1), enumerable: true })
      } catch {
        this.dropped++
      }
    }
    return copy
  }

  #drop(): undefined {
    this.dropped++
    return undefined
  }
}

function bytesOf(value: object): Buffer | undefined {
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  if (!(value instanceof Uint8Array || value instanceof Uint8ClampedArray || value instanceof DataView))
    return undefined
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

function listOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (value instanceof Set || ArrayBuffer.isView(value)) return [...(value as Set<unknown>)]
  return value instanceof Map && ![...value.keys()].every((key) => typeof key === 'string') ? [...value] : undefined
}

/** The members of an object; undefined for one without accessible members: a stream, a generator, a promise. */
function membersOf(value: object): (readonly [string, () => unknown])[] | undefined {
  if (value instanceof Map) return [...(value as Map<string, unknown>)].map(([key, member]) => [key, () => member])
  const own = Object.keys(value)
  if (own.length === 0 && !(value instanceof Error) && !isData(value)) return undefined
  const hidden = value instanceof Error ? ERROR_KEYS.filter((key) => key in value && !own.includes(key)) : []
  const keys = [...hidden, ...own]
  return keys.map((key) => [key, () => (value as unknown as Record<string, unknown>)[key]])
}

const ERROR_KEYS = ['name', 'message', 'cause', 'errors']
