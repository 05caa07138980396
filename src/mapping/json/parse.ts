import { PlanspanError } from '../../error.js'
import type { JsonDocument, JsonMember, JsonNode, JsonString } from './node.js'

/** Limits the number of values in a record while it is parsed, because each needs many times the memory of its text. */
export class ValueCount {
  readonly #most: number
  #count = 0

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** Counts one more value. Throws `record_too_large` beyond the limit. */
  add(): void {
    if (++this.#count <= this.#most) return
    throw new PlanspanError(
      'record_too_large',
      `The record has more than ${this.#most} JSON values. Import it with \`planspan import\`, which has no such limit.`,
    )
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/y
const SPACE = /[ \t\n\r]*/y
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SHORT_ESCAPES = '"\\/bfnrt'
const UNICODE_ESCAPE = /\\u[0-9a-fA-F]{4}/y
const MAX_DEPTH = 1_000

const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

/**
 * Parses one JSON document and keeps how it was written. Accepts raw control characters in strings, which hand-written
 * serializers leave, and Python's NaN, Infinity and -Infinity. Anything else that RFC 8259 forbids is an
 * `invalid_record` error with line and column. The text's first line has the number `firstLine`. Throws what `values`
 * throws.
 */
export function parseJsonDocument(
  text: string,
  from = 0,
  firstLine = 1,
  values = new ValueCount(),
): JsonDocument & { readonly end: number } {
  const reader = new Reader(text, from, firstLine, values)
  const head = reader.space()
  const root = reader.value(0)
  return { root, head, tail: '', end: reader.at }
}

/** Parses text that is exactly one JSON document. Undefined for any other text. */
export function tryParseJson(text: string): JsonNode | undefined {
  try {
    const { root, end } = parseJsonDocument(text)
    return text.slice(end).trim() === '' ? root : undefined
  } catch {
    return undefined
  }
}

class Reader {
  readonly text: string
  at: number
  readonly firstLine: number
  readonly values: ValueCount

  constructor(text: string, from: number, firstLine: number, values: ValueCount) {
    this.text = text
    this.at = from
    this.firstLine = firstLine
    this.values = values
  }

  space(): string {
    return this.match(SPACE) ?? ''
  }

  value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.tooDeep()
    this.values.add()
    const first = this.text[this.at]
    if (first === '{') return this.object(depth)
    if (first === '[') return this.array(depth)
    if (first === '"') return this.string()
    const number = this.match(NUMBER)
    if (number) return { kind: 'number', text: number }
    for (const word in LITERALS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return { kind: 'literal', value: LITERALS[word] ?? null }
      }
    }
    throw this.error(first === undefined ? 'the text ends where a value is expected' : `unexpected ${printable(first)}`)
  }

  private object(depth: number): JsonNode {
    this.at++
    const members: JsonMember[] = []
    const space: string[] = []
    let before = this.space()
    if (this.take('}')) return { kind: 'object', members, space: [before] }
    for (;;) {
      if (this.text[this.at] !== '"') throw this.error('expected a key in double quotes')
      const key = this.string()
      const afterKey = this.space()
      if (!this.take(':')) throw this.error('expected ":" after the key')
      const beforeValue = this.space()
      const value = this.value(depth + 1)
      space.push(before, afterKey, beforeValue, this.space())
      members.push({ key, value })
      if (this.take('}')) return { kind: 'object', members, space }
      if (!this.take(',')) throw this.error('expected "," or "}"')
      before = this.space()
    }
  }

  private array(depth: number): JsonNode {
    this.at++
    const items: JsonNode[] = []
    const space: string[] = []
    let before = this.space()
    if (this.take(']')) return { kind: 'array', items, space: [before] }
    for (;;) {
      items.push(this.value(depth + 1))
      space.push(before, this.space())
      if (this.take(']')) return { kind: 'array', items, space }
      if (!this.take(',')) throw this.error('expected "," or "]"')
      before = this.space()
    }
  }

  private string(): JsonString {
    const { text } = this
    const start = ++this.at
    let at = start
    let escaped = false
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        at = this.afterEscape(at)
        escaped = true
      } else if (at < text.length) at++
      else throw this.error('a string is not closed', at)
    }
    const raw = text.slice(start, at)
    this.at = at + 1
    return { kind: 'string', value: escaped ? unescapeJson(raw) : raw, raw }
  }

  private afterEscape(at: number): number {
    if (SHORT_ESCAPES.includes(this.text.charAt(at + 1) || ' ')) return at + 2
    UNICODE_ESCAPE.lastIndex = at
    if (UNICODE_ESCAPE.test(this.text)) return UNICODE_ESCAPE.lastIndex
    throw this.error('unknown escape in a string', at)
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  private error(what: string, at = this.at): PlanspanError {
    return new PlanspanError('invalid_record', `Not JSON: ${what}, ${this.place(at)}.`)
  }

  private tooDeep(): PlanspanError {
    const message =
      `JSON nested deeper than ${MAX_DEPTH} levels, ${this.place(this.at)}. That is the limit, enough for some 250 nested ` +
      'sub-plans. Import deeper sub-plans as separate records.'
    return new PlanspanError('invalid_record', message)
  }

  private place(at: number): string {
    const before = this.text.slice(0, at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    return `line ${this.firstLine + before.length - 1}, column ${column}`
  }
}

const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Decodes the text between two quotes. */
export function unescapeJson(raw: string): string {
  // The engine's parser is ten times faster on long texts, but rejects raw control characters.
  if (raw.length > 100 && !/[\u0000-\u001F]/.test(raw)) return JSON.parse(`"${raw}"`) as string
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex: string | undefined, character: string) =>
    hex === undefined ? (SHORT[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const printable = (character: string): string => JSON.stringify(character)
