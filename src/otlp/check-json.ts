import { isUtf8 } from 'node:buffer'
import { isBase64, parseDouble, parseInteger } from './json-number.js'
import { JsonScanner } from './json-scanner.js'
import { MAX_DEPTH, PartCount, refuseDepth } from './limits.js'
import { malformed, type CheckOptions, type CheckResult } from './request.js'
import { ELEMENT_MEMBERS, RESOURCE } from './request-schema.js'
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE_LIST, type Field, type Message } from './schema.js'
import { SIGNAL_RULES, type SignalRules } from './signal.js'
import { ItemVerdict, TIME_LIMIT } from './item-verdict.js'

const QUOTE = 0x22
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

const TIMES: ReadonlySet<Field['kind']> = new Set(['startTime', 'endTime', 'observedTime', 'time'])

/**
 * Checks an OTLP/JSON request of a signal: its syntax and its shape, as tolerant as the collector (snake_case keys,
 * enum names, int64 as number or text). A malformed body is an error as a whole; a span or a log record with an invalid
 * value is rejected by itself.
 */
export function checkJson(body: Uint8Array, options: CheckOptions = {}): CheckResult {
  if (!isUtf8(body)) return { ok: false, message: 'The JSON is not UTF-8.', isTooLarge: false }
  const { signal = 'traces' } = options
  const check = new JsonCheck(body, SIGNAL_RULES[signal].schema, options)
  try {
    check.document()
  } catch (error) {
    return malformed(error)
  }
  const { count, refused, values, marks, resource, verdict } = check
  const { spans: spanCount, parts } = count
  const { refusedFor, ends } = verdict
  return {
    ok: true,
    request: { signal, encoding: 'json', body, spanCount, parts, refused, refusedFor, ends, values, marks, resource },
  }
}

class JsonCheck extends JsonScanner {
  readonly count: PartCount
  readonly refused = new Map<number, string>()
  readonly values: number[] = []
  readonly marks: number[] = []
  resource: Uint8Array | undefined
  readonly verdict: ItemVerdict
  private readonly schema: SignalRules['schema']
  private readonly markNumber = () => {
    if (!this.fitsParser()) this.mark(this.tokenStart)
  }

  constructor(body: Uint8Array, schema: SignalRules['schema'], options: CheckOptions) {
    super(body)
    this.schema = schema
    this.count = new PartCount(options)
    this.verdict = new ItemVerdict(options)
  }

  document(): void {
    this.peek()
    this.message(this.schema.request, 0)
    this.peek()
    if (this.position < this.bytes.length) this.fail('Something stands behind the JSON document')
  }

  private mark(position: number): void {
    this.count.mark(this.marks, position)
  }

  private message(message: Message, depth: number): void {
    if (this.skipNull()) return
    let seen = 0
    if (this.openObject())
      do {
        const keyStart = this.key()
        const field = this.fieldOfKey(message)
        if (!field) {
          this.skipValue(this.markNumber)
          continue
        }
        // ClickHouse's parser keeps one of two equal keys and every member of a oneof; the collector merges and
        // overwrites.
        if (message === ANY_VALUE ? seen !== 0 : (seen & (1 << field.number)) !== 0) this.mark(keyStart)
        seen |= 1 << field.number
        if (field.repeated) this.repeated(field, depth)
        else if (field.message) this.nested(field.message, depth)
        else this.scalar(field)
      } while (this.nextMember())
    const members = ELEMENT_MEMBERS.get(message)
    // Marked at the message's end, because marks must ascend.
    if (members !== undefined && (seen & members) === 0) this.mark(this.position - 1)
  }

  private fieldOfKey(message: Message): Field | undefined {
    const field = this.field(message)
    if (field && (this.escaped || this.tokenEnd - this.tokenStart !== field.name.length)) this.mark(this.tokenStart - 1)
    return field
  }

  private skipNull(): boolean {
    if (!this.isNull()) return false
    this.mark(this.position)
    this.literal('null')
    return true
  }

  private repeated(field: Field, depth: number): void {
    if (this.skipNull() || !field.message || !this.openArray()) return
    do {
      this.count.part()
      this.nested(field.message, depth)
    } while (this.nextElement())
  }

  private nested(message: Message, depth: number): void {
    if (message === this.schema.item) return this.item()
    if (depth > MAX_DEPTH) refuseDepth()
    if (message === ANY_VALUE) return this.anyValue(depth)
    if (message === ARRAY_VALUE || message === KEY_VALUE_LIST) this.mark(this.position)
    const start = this.position
    this.message(message, depth)
    if (message === RESOURCE) this.resource ??= this.bytes.subarray(start, this.position)
  }

  /** Checks an attribute's value or a nested value. All marks in it become a single mark, at the attribute's value. */
  private anyValue(depth: number): void {
    const start = this.position
    const count = this.marks.length
    this.message(ANY_VALUE, depth + 1)
    if (depth > 0 || this.marks.length === count) return
    this.marks.length = count
    this.values.push(start, this.position)
  }

  private item(): void {
    this.count.item()
    this.verdict.begin()
    this.message(this.schema.item, 0)
    const reason = this.verdict.reason()
    if (reason !== undefined) this.refused.set(this.count.spans - 1, reason)
  }

  private scalar(field: Field): void {
    if (this.skipNull()) return
    const start = this.position
    switch (field.kind) {
      case 'string':
        this.string()
        if (this.loneSurrogate) this.mark(start)
        return
      case 'bool':
        return this.literal(this.bytes[start] === 0x74 ? 'true' : 'false')
      case 'bytes':
        this.mark(start)
        this.string()
        if (!isBase64(this.text())) this.fail(`${field.name} is not standard base64`)
        return
      case 'double':
        return this.double(start)
      case 'enum':
        return this.enumeration(field, start)
      case 'traceId':
        return this.verdict.setTraceId(this.id(16, start) === 'valid')
      case 'spanId':
        return this.verdict.setSpanId(this.id(8, start) === 'valid')
      case 'id16':
      case 'id8':
        return this.optionalId(field, field.kind === 'id16' ? 16 : 8, start)
      default:
        return this.integer64(field, start)
    }
  }

  /** Skips a number, or a string that holds one; returns whether it is a string. */
  private numberOrString(name: string): boolean {
    const isString = this.bytes[this.position] === QUOTE
    if (isString) this.string()
    else this.number()
    if (!isString && !this.integer && name !== 'doubleValue') this.fail(`${name} is not an integer`)
    return isString
  }

  private double(start: number): void {
    const isString = this.numberOrString('doubleValue')
    if (!isString && this.isPlainNumber()) return
    const value = parseDouble(this.text())
    if (value === undefined) this.fail('doubleValue is no number, or too large for a double')
    if (isString || !(Math.abs(value) < 1e21) || Object.is(value, -0) || !this.fitsParser()) this.mark(start)
  }

  private enumeration(field: Field, start: number): void {
    if (!this.numberOrString(field.name)) {
      const value = parseInteger(this.text(), 'int64')
      if (value === undefined || value !== BigInt.asIntN(32, value)) this.fail(`${field.name} is not an int32`)
      return
    }
    this.mark(start)
    if (!field.names.has(this.text())) this.fail(`${field.name} has a name that does not exist`)
  }

  private integer64(field: Field, start: number): void {
    const isString = this.numberOrString(field.name)
    const wantsValue = this.verdict.needsStart && (field.kind === 'startTime' || field.kind === 'observedTime')
    const is32 = field.kind === 'uint32' || field.kind === 'fixed32'
    if (field.kind === 'endTime') this.verdict.setEnd(Number(this.text()) / 1e6)
    if (!wantsValue && this.isPlainInteger() && !(is32 && this.tokenEnd - this.tokenStart > 9)) return
    const text = this.text()
    const value = parseInteger(text, field.kind === 'int64' ? 'int64' : 'uint64')
    if (value === undefined || (is32 && value > 0xffffffffn)) {
      this.fail(`${field.name} is not an integer of its type`)
    }
    if (isString && String(value) !== text) this.mark(start)
    if (field.kind === 'startTime') this.verdict.setStart(value)
    if (field.kind === 'observedTime') this.verdict.setObserved(value)
    if (TIMES.has(field.kind) && value >= TIME_LIMIT) this.verdict.blameTime(field.name)
  }

  /**
   * Whether the token is an integer that fits every 64-bit type: up to 18 digits, or 19 digits with a first digit below
   * 9, without a sign or leading zeros.
   */
  private isPlainInteger(): boolean {
    const length = this.tokenEnd - this.tokenStart
    const first = this.bytes[this.tokenStart] ?? 0
    if (length === 0 || length > 19 || first > (length === 19 ? NINE - 1 : NINE)) return false
    if (first === ZERO && length > 1) return false
    for (let at = this.tokenStart; at < this.tokenEnd; at++) {
      const byte = this.bytes[at] ?? 0
      if (byte < ZERO || byte > NINE) return false
    }
    return true
  }

  /** Whether the number is short, not negative and has no exponent, and so needs no further check. */
  private isPlainNumber(): boolean {
    if (this.tokenEnd - this.tokenStart > 18 || this.bytes[this.tokenStart] === MINUS) return false
    for (let at = this.tokenStart; at < this.tokenEnd; at++) if ((this.bytes[at] ?? 0) > NINE) return false
    return true
  }

  /**
   * Whether ClickHouse's JSON parser accepts the last number; it rejects the whole document otherwise.
   */
  private fitsParser(): boolean {
    if (this.isPlainNumber()) return true
    const text = this.text()
    if (!this.integer) return Number.isFinite(Number(text))
    const value = BigInt(text)
    return value >= -TIME_LIMIT && value < TIME_LIMIT * 2n
  }

  private id(size: number, start: number): 'valid' | 'zero' | 'empty' | 'invalid' {
    this.string()
    if (this.escaped) this.mark(start)
    const text = this.escaped ? Buffer.from(this.text()) : undefined
    const bytes = text ?? this.bytes
    const from = text ? 0 : this.tokenStart
    const length = text ? text.length : this.tokenEnd - this.tokenStart
    if (length === 0) return 'empty'
    if (length !== size * 2) return 'invalid'
    let zero = true
    let upper = false
    for (let at = from; at < from + length; at++) {
      const byte = bytes[at] ?? 0
      if (byte !== ZERO) zero = false
      if (byte >= ZERO && byte <= NINE) continue
      const letter = byte | 0x20
      if (letter < 0x61 || letter > 0x66) return 'invalid'
      if (letter !== byte) upper = true
    }
    if (upper || zero) this.mark(start)
    return zero ? 'zero' : 'valid'
  }

  private optionalId(field: Field, size: number, start: number): void {
    if (this.id(size, start) === 'invalid')
      this.verdict.blameId(`its ${field.name}, or a link's, is not ${size} bytes in hex`)
  }
}
