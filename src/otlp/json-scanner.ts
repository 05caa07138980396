import { PlanspanError } from '../error.js'
import { refuseDepth } from './limits.js'
import type { Field, Message } from './schema.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const LOWER_N = 0x6e

/** Values nested deeper than this are rejected; ClickHouse's own parser fails at a far greater depth. */
const MAX_JSON_DEPTH = 900

const LONGEST_NAME = 'dropped_attributes_count'.length

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

const hexValue = (byte: number): number =>
  isDigit(byte) ? byte - 0x30 : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66 ? (byte | 0x20) - 0x57 : -1

/** Scans the bytes of a JSON document, strictly by RFC 8259. Creates no values: a token is a range of bytes. */
export class JsonScanner {
  readonly bytes: Buffer
  position = 0
  /** The range of the last string or number, without quotes. */
  tokenStart = 0
  tokenEnd = 0
  /** Whether the last string contains escapes, and a lone surrogate. */
  escaped = false
  loneSurrogate = false
  /** Whether the last number is an integer. */
  integer = false

  constructor(body: Uint8Array) {
    this.bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  }

  fail(what: string): never {
    throw new PlanspanError('invalid_otlp', `${what}, at byte ${this.position}.`)
  }

  /** Returns the next byte that is not white space; 0 at the end. */
  peek(): number {
    for (;;) {
      const byte = this.bytes[this.position] ?? 0
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.position++
    }
  }

  isNull(): boolean {
    return this.peek() === LOWER_N
  }

  /** Enters an object; returns whether it has members: `if (open) do { key(); … } while (nextMember())`. */
  openObject(): boolean {
    return this.open(OPEN_BRACE, CLOSE_BRACE, 'object')
  }

  /** Reads a key, which becomes the last token, and its colon. Returns the position of the key. */
  key(): number {
    this.peek()
    const start = this.position
    this.string()
    if (this.peek() !== COLON) this.fail('The JSON has no colon behind a key')
    this.position++
    this.peek()
    return start
  }

  nextMember(): boolean {
    return this.next(CLOSE_BRACE)
  }

  openArray(): boolean {
    return this.open(OPEN_BRACKET, CLOSE_BRACKET, 'array')
  }

  nextElement(): boolean {
    return this.next(CLOSE_BRACKET)
  }

  private open(start: number, close: number, what: string): boolean {
    if (this.peek() !== start) this.fail(`The JSON has no ${what} where one belongs`)
    this.position++
    if (this.peek() !== close) return true
    this.position++
    return false
  }

  private next(close: number): boolean {
    const byte = this.peek()
    if (byte !== COMMA && byte !== close) this.fail('The JSON has neither a comma nor an end behind a value')
    this.position++
    if (byte === close) return false
    this.peek()
    return true
  }

  string(): void {
    const { bytes } = this
    let at = this.position + 1
    if (bytes[this.position] !== QUOTE) this.fail('The JSON has no string where one belongs')
    this.escaped = false
    this.loneSurrogate = false
    for (;;) {
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) break
      if (byte === BACKSLASH) at = this.escape(at)
      else if (byte < 0x20) this.fail('A JSON string is cut off or holds a control character')
      else at++
    }
    this.tokenStart = this.position + 1
    this.tokenEnd = at
    this.position = at + 1
  }

  private escape(at: number): number {
    this.escaped = true
    switch (this.bytes[at + 1]) {
      case 0x22:
      case 0x5c:
      case 0x2f:
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74: // "\/bfnrt
        return at + 2
      case 0x75: {
        const unit = this.codeUnit(at)
        if (unit < 0xd800 || unit > 0xdfff) return at + 6
        const isPair = unit < 0xdc00 && this.bytes[at + 6] === BACKSLASH && this.bytes[at + 7] === 0x75
        const low = isPair ? this.codeUnit(at + 6) : 0
        if (low >= 0xdc00 && low <= 0xdfff) return at + 12
        this.loneSurrogate = true
        return at + 6
      }
      default:
        return this.fail('A JSON string holds an escape that does not exist')
    }
  }

  private codeUnit(at: number): number {
    let unit = 0
    for (let digit = at + 2; digit < at + 6; digit++) {
      const value = hexValue(this.bytes[digit] ?? 0)
      if (value < 0) this.fail(String.raw`A JSON string holds a \u escape without four hex digits`)
      unit = unit * 16 + value
    }
    return unit
  }

  number(): void {
    const { bytes } = this
    const start = this.position
    let at = start
    if (bytes[at] === 0x2d) at++
    const first = at
    at = this.digits(at)
    if (bytes[first] === 0x30 && at > first + 1) this.fail('A JSON number begins with a zero too many')
    this.integer = true
    if (bytes[at] === 0x2e) {
      this.integer = false
      at = this.digits(at + 1)
    }
    if (((bytes[at] ?? 0) | 0x20) === 0x65) {
      this.integer = false
      at++
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++
      at = this.digits(at)
    }
    this.tokenStart = start
    this.tokenEnd = at
    this.position = at
  }

  private digits(start: number): number {
    let at = start
    while (isDigit(this.bytes[at] ?? 0)) at++
    if (at === start) this.fail('The JSON holds something that is no value')
    return at
  }

  literal(text: 'true' | 'false' | 'null'): void {
    for (let at = 0; at < text.length; at++) {
      if (this.bytes[this.position + at] !== text.charCodeAt(at)) this.fail('The JSON holds something that is no value')
    }
    this.position += text.length
  }

  /** Skips any value; calls `onNumber` for each number in it. */
  skipValue(onNumber?: () => void, depth = 0): void {
    if (depth > MAX_JSON_DEPTH) refuseDepth(MAX_JSON_DEPTH)
    switch (this.peek()) {
      case OPEN_BRACE:
        if (this.openObject()) {
          do {
            this.key()
            this.skipValue(onNumber, depth + 1)
          } while (this.nextMember())
        }
        return
      case OPEN_BRACKET:
        if (this.openArray()) {
          do this.skipValue(onNumber, depth + 1)
          while (this.nextElement())
        }
        return
      case QUOTE:
        return this.string()
      case 0x74:
        return this.literal('true')
      case 0x66:
        return this.literal('false')
      case LOWER_N:
        return this.literal('null')
      default:
        this.number()
        onNumber?.()
    }
  }

  /** Returns the last token as text, with escapes resolved and lone surrogates replaced by U+FFFD. */
  text(): string {
    const raw = this.bytes.toString('utf8', this.tokenStart, this.tokenEnd)
    if (!this.escaped) return raw
    const text = JSON.parse(`"${raw}"`) as string
    return this.loneSurrogate ? Buffer.from(text).toString() : text
  }

  /** Returns the field whose OTLP/JSON name is the last token. */
  field(message: Message): Field | undefined {
    if (this.escaped) return message.byName.get(this.text())
    const candidates = message.byLength[this.tokenEnd - this.tokenStart]
    if (candidates) for (const field of candidates) if (this.is(field.nameBytes)) return field
    if (this.tokenEnd - this.tokenStart > LONGEST_NAME) return undefined
    return message.byName.get(this.bytes.toString('latin1', this.tokenStart, this.tokenEnd))
  }

  private is(name: Uint8Array): boolean {
    for (let at = 0; at < name.length; at++) if (this.bytes[this.tokenStart + at] !== name[at]) return false
    return true
  }
}
