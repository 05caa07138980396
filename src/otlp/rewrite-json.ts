import { attributeText, type AnyValue } from './attribute-text.js'
import { ByteWriter } from './byte-writer.js'
import { parseInteger } from './json-number.js'
import { JsonScanner } from './json-scanner.js'
import { eachField, readJsonValue, skipNull } from './decode-json-value.js'
import type { Range } from './protobuf-reader.js'
import { hasOffset, indexFrom, type CheckedRequest } from './request.js'
import { ELEMENT_MEMBERS, type RequestSchema } from './request-schema.js'
import { ANY_VALUE, type Field, type Message } from './schema.js'
import { SIGNAL_RULES } from './signal.js'

const QUOTE = 0x22
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c

/**
 * Rewrites a checked JSON request so that ClickHouse reads it correctly: known keys once and in camelCase; arrays,
 * maps, bytes and unusual numbers as text; and only the items for whose index `keep` returns true, if it is given.
 * Unchanged parts are copied.
 */
export function rewriteJson(request: CheckedRequest, keep?: (span: number) => boolean): Uint8Array {
  const rewrite = new JsonRewrite(request, keep)
  rewrite.document()
  return rewrite.writer.finish()
}

class JsonRewrite {
  readonly writer: ByteWriter
  private readonly scanner: JsonScanner
  private readonly request: CheckedRequest
  private readonly schema: RequestSchema
  private readonly keep: ((span: number) => boolean) | undefined
  private item = 0

  constructor(request: CheckedRequest, keep: ((span: number) => boolean) | undefined) {
    this.writer = new ByteWriter(request.body.length * 1.25)
    this.scanner = new JsonScanner(request.body)
    this.request = request
    this.schema = SIGNAL_RULES[request.signal].schema
    this.keep = keep
  }

  document(): void {
    this.submessage(this.schema.request, [[0, this.request.body.length]])
  }

  /** Writes a message. A message whose key occurs several times is merged. */
  private message(message: Message, ranges: readonly Range[]): void {
    const { scanner, writer } = this
    const values = new Map<Field, Range[]>()
    for (const [start] of ranges) {
      scanner.position = start
      eachField(scanner, message, (field) => {
        const found = values.get(field) ?? []
        if (field.repeated) this.passElements(found)
        else found.push(this.pass())
        if (field.stored) values.set(field, found)
      })
    }
    writer.byte(OPEN_BRACE)
    let written = ELEMENT_MEMBERS.has(message) && this.addText(message, values)
    for (const [field, found] of values) {
      const start = writer.length
      if (written) writer.byte(COMMA)
      writer.text(`"${field.name}":`)
      if (this.value(field, found)) written = true
      else writer.length = start
    }
    writer.byte(CLOSE_BRACE)
  }

  /** Adds an empty text to a message without text, so that ClickHouse keeps the message in its array. */
  private addText(message: Message, values: ReadonlyMap<Field, unknown>): boolean {
    const text = message.fields.find(({ kind }) => kind === 'string')
    if (!text || values.has(text)) return false
    this.writer.text(`"${text.name}":""`)
    return true
  }

  private passElements(found: Range[]): void {
    const { scanner } = this
    if (skipNull(scanner) || !scanner.openArray()) return
    do found.push(this.pass())
    while (scanner.nextElement())
  }

  private pass(): Range {
    const start = this.scanner.position
    this.scanner.skipValue()
    return [start, this.scanner.position]
  }

  /** Writes a field's value; returns false if the field has no value. */
  private value(field: Field, found: readonly Range[]): boolean {
    if (field.repeated) return this.elements(field, found)
    if (field.message) return this.submessage(field.message, found)
    const last = found.at(-1)
    return last !== undefined && this.scalar(field, last)
  }

  private elements({ message }: Field, found: readonly Range[]): boolean {
    const { writer } = this
    if (!message) return false
    writer.byte(OPEN_BRACKET)
    let comma = false
    for (const range of found) {
      if (message === this.schema.item && this.keep?.(this.item++) === false) continue
      if (comma) writer.byte(COMMA)
      comma = this.submessage(message, [range])
    }
    writer.byte(CLOSE_BRACKET)
    return true
  }

  private submessage(message: Message, ranges: readonly Range[]): boolean {
    const [first] = ranges
    if (!first) return false
    const isWhole = ranges.length === 1 && !hasOffset(this.request.marks, ...first)
    if (isWhole && !(this.keep && this.schema.holders.has(message))) this.withText(...first)
    else if (message === ANY_VALUE) this.textValue(ranges)
    else this.message(message, ranges)
    return true
  }

  /** Copies a part of the document, changing attribute values only. */
  private withText(start: number, end: number): void {
    const { values } = this.request
    let copied = start
    for (let next = indexFrom(values, start); (values[next] ?? end) < end; next += 2) {
      const from = values[next] ?? end
      const to = values[next + 1] ?? end
      this.writer.copy(this.scanner.bytes, copied, from)
      this.textValue([[from, to]])
      copied = to
    }
    this.writer.copy(this.scanner.bytes, copied, end)
  }

  /** Writes an attribute's value as text, as the tables store it. */
  private textValue(ranges: readonly Range[]): void {
    let value: AnyValue = null
    for (const [start] of ranges) {
      this.scanner.position = start
      value = readJsonValue(this.scanner, value)
    }
    this.writer.text(`{"stringValue":${JSON.stringify(attributeText(value))}}`)
  }

  private scalar(field: Field, [start, end]: Range): boolean {
    const { request, scanner, writer } = this
    if (!hasOffset(request.marks, start, end)) {
      writer.copy(scanner.bytes, start, end)
      return true
    }
    scanner.position = start
    if (scanner.isNull()) {
      if (field.kind !== 'string') return false
      writer.text('""')
      return true
    }
    if (scanner.bytes[start] === QUOTE) scanner.string()
    else scanner.number()
    const text = this.canonical(field, scanner.text())
    if (text !== undefined) writer.text(text)
    return text !== undefined
  }

  private canonical(field: Field, text: string): string | undefined {
    switch (field.kind) {
      case 'traceId':
      case 'spanId':
      case 'id16':
      case 'id8':
        return /^0*$/.test(text) ? undefined : JSON.stringify(text.toLowerCase())
      case 'enum':
        return String(field.names.get(text) ?? text)
      case 'startTime':
      case 'endTime':
      case 'observedTime':
      case 'time':
        return String(parseInteger(text, 'uint64') ?? 0n)
      default:
        return JSON.stringify(text)
    }
  }
}
