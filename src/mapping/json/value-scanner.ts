const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MAX_DEPTH = 1_001

/** The token that the scanner expects next, or is inside of. */
type Expected = 'value' | 'item' | 'key' | 'first key' | 'colon' | 'comma' | 'string' | 'escape' | 'scalar'

/**
 * Finds the end of one JSON value in bytes that arrive in chunks. It detects misplaced tokens at once, and leaves the
 * syntax of numbers, literals and escapes to the parser.
 */
export class ValueScanner {
  /** `broken` at the first misplaced byte. */
  status: 'open' | 'done' | 'broken' = 'open'
  readonly #open: number[] = []
  #expected: Expected = 'value'
  #inKey = false

  /** Whether the value would be complete if nothing followed. */
  get isWhole(): boolean {
    return this.status === 'done' || (this.#expected === 'scalar' && this.#open.length === 0)
  }

  /** Scans from `at`. Returns the position after the value, the byte that broke it, or `end`. */
  feed(bytes: Uint8Array, at: number, end: number): number {
    let next = at
    while (next < end && this.status === 'open') {
      if (this.#expected === 'string') next = this.#string(bytes, next, end)
      else if (this.#expected === 'scalar') next = this.#scalar(bytes, next, end)
      else next = this.#mark(bytes[next] ?? 0, next)
    }
    return next
  }

  #string(bytes: Uint8Array, at: number, end: number): number {
    for (let next = at; next < end; next++) {
      const byte = bytes[next]
      if (byte === BACKSLASH) {
        this.#expected = 'escape'
        return next + 1
      }
      if (byte === QUOTE) {
        if (this.#inKey) this.#expected = 'colon'
        else this.#close()
        return next + 1
      }
    }
    return end
  }

  #scalar(bytes: Uint8Array, at: number, end: number): number {
    let next = at
    while (next < end && isScalar(bytes[next] ?? 0)) next++
    if (next < end) this.#close()
    return next
  }

  /** Scans one byte outside of strings and scalars. Returns the position after it, or its own if it is misplaced. */
  #mark(byte: number, at: number): number {
    if (this.#expected === 'escape') this.#expected = 'string'
    else if (!isSpace(byte)) this.#token(byte)
    return this.status === 'broken' ? at : at + 1
  }

  #token(byte: number): void {
    const expected = this.#expected
    const inner = this.#open.at(-1)
    if (expected === 'value' || expected === 'item') {
      if (byte === CLOSE_BRACKET && expected === 'item') this.#pop()
      else this.#value(byte)
    } else if (expected === 'key' || expected === 'first key') {
      if (byte === QUOTE) this.#enterString(true)
      else if (byte === CLOSE_BRACE && expected === 'first key') this.#pop()
      else this.status = 'broken'
    } else if (expected === 'colon') {
      if (byte === COLON) this.#expected = 'value'
      else this.status = 'broken'
    } else if (byte === COMMA) this.#expected = inner === OPEN_BRACE ? 'key' : 'value'
    else if (byte === (inner === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) this.#pop()
    else this.status = 'broken'
  }

  #value(byte: number): void {
    if (byte === OPEN_BRACE) this.#push(byte, 'first key')
    else if (byte === OPEN_BRACKET) this.#push(byte, 'item')
    else if (byte === QUOTE) this.#enterString(false)
    else if (isScalar(byte)) this.#expected = 'scalar'
    else this.status = 'broken'
  }

  #push(byte: number, expected: Expected): void {
    this.#open.push(byte)
    this.#expected = expected
    if (this.#open.length > MAX_DEPTH) this.status = 'broken'
  }

  #pop(): void {
    this.#open.pop()
    this.#close()
  }

  #enterString(isKey: boolean): void {
    this.#inKey = isKey
    this.#expected = 'string'
  }

  /** Ends a value. */
  #close(): void {
    if (this.#open.length === 0) this.status = 'done'
    else this.#expected = 'comma'
  }
}

/** Whether a byte is JSON white space. */
export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Whether a byte can be part of a number or literal. */
const isScalar = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e
