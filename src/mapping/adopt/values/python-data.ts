/**
 * Parses the text of a Python value: `repr` of literals, of objects, `Name(key=value, …)`, and of enumerations,
 * `<Name.KEY: 'value'>`; and Pydantic's `str`, `key=value key=value`. An object has its class under `CLASS`, and
 * arguments without a name by position. Undefined for any other text, and for data nested deeper than 100 levels.
 */
export function pythonIn(text: string): unknown {
  if (!STARTS.test(text)) return undefined
  const reader = new Reader(text)
  try {
    return reader.whole()
  } catch (error) {
    if (error === MALFORMED) return undefined
    throw error
  }
}

/** The key of an object's class. */
export const CLASS = '__class__'

const STARTS = /^\s*(?:[[{(]|[A-Za-z_][\w.]*(?:\(|=['"[{(\w]))/
const MALFORMED = Symbol('malformed')
const MAX_DEPTH = 100

const SPACE = /\s*/y
const WORD = /[A-Za-z_][\w.]*/y
const NUMBER = /-?\d[\d_.]*(?:e[+-]?\d+)?/iy
const STRING = /[bru]{0,2}(?:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")/isy
const ENUM = /<[\w.]+: /y
const OPAQUE = /<[^<>]*(?:<[^<>]*>[^<>]*)*>/y
const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
  ['null', null],
  ['true', true],
  ['false', false],
])

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const start = this.#match(SPACE)
    const fields = this.#fields()
    const value = fields ?? this.#value()
    this.#match(SPACE)
    if (this.#at < this.#text.length) throw MALFORMED
    return start === undefined ? undefined : value
  }

  /** Reads `key=value key=value`. */
  #fields(): unknown {
    if (!/^[A-Za-z_]\w*=/.test(this.#text.slice(this.#at, this.#at + 100))) return undefined
    const object = bare()
    while (this.#at < this.#text.length) {
      const key = this.#match(WORD)
      if (key === undefined || !this.#skip('=')) throw MALFORMED
      object[key] = this.#value()
      this.#match(SPACE)
    }
    return object
  }

  #value(): unknown {
    if (++this.#depth > MAX_DEPTH) throw MALFORMED
    this.#match(SPACE)
    const value = this.#any()
    this.#match(SPACE)
    this.#depth--
    return value
  }

  #any(): unknown {
    const string = this.#match(STRING)
    if (string !== undefined) return this.#strings(unescaped(string))
    if (this.#skip('[')) return this.#list(']')
    if (this.#skip('(')) return this.#list(')')
    if (this.#skip('{')) return this.#dictionary()
    if (this.#match(ENUM) !== undefined) {
      const value = this.#value()
      if (!this.#skip('>')) throw MALFORMED
      return value
    }
    const opaque = this.#match(OPAQUE) ?? this.#match(NUMBER)
    if (opaque !== undefined) return opaque.startsWith('<') || Number.isNaN(Number(opaque)) ? opaque : Number(opaque)
    const word = this.#match(WORD)
    if (word === undefined) throw MALFORMED
    if (this.#skip('(')) return this.#object(word)
    return CONSTANTS.has(word) ? CONSTANTS.get(word) : word
  }

  /** Python joins strings that follow each other. */
  #strings(first: string): string {
    let all = first
    for (;;) {
      const at = this.#at
      this.#match(SPACE)
      const next = this.#match(STRING)
      if (next === undefined) {
        this.#at = at
        return all
      }
      all += unescaped(next)
    }
  }

  #list(end: string): unknown[] {
    const items: unknown[] = []
    for (;;) {
      this.#match(SPACE)
      if (this.#skip(end)) return items
      items.push(this.#value())
      if (!this.#skip(',') && this.#text[this.#at] !== end) throw MALFORMED
    }
  }

  #dictionary(): unknown {
    const object = bare()
    const items: unknown[] = []
    for (;;) {
      this.#match(SPACE)
      if (this.#skip('}')) return items.length > 0 ? items : object
      const key = this.#value()
      if (this.#skip(':')) object[String(key)] = this.#value()
      else items.push(key)
      if (!this.#skip(',') && this.#text[this.#at] !== '}') throw MALFORMED
    }
  }

  #object(name: string): unknown {
    const object = bare()
    object[CLASS] = name
    let place = 0
    for (;;) {
      this.#match(SPACE)
      if (this.#skip(')')) return object
      const start = this.#at
      const key = this.#match(WORD)
      if (key !== undefined && this.#skip('=')) object[key] = this.#value()
      else {
        this.#at = start
        object[String(place++)] = this.#value()
      }
      if (!this.#skip(',') && this.#text[this.#at] !== ')') throw MALFORMED
    }
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    const [found] = expression.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }
}

/** An object without a prototype: a key may be named `__proto__`. */
const bare = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '', 0: '\0' }

function unescaped(literal: string): string {
  const open = literal.search(/['"]/)
  const inside = literal.slice(open + 1, -1)
  if (!inside.includes('\\') || /r/i.test(literal.slice(0, open))) return inside
  return inside.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gis, (all, x, u, long, other) => {
    const code = (x ?? u ?? long) as string | undefined
    if (code === undefined) return ESCAPES[other as string] ?? (other as string)
    const point = Number.parseInt(code, 16)
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : (all as string)
  })
}
