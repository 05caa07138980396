import type { AnyValue } from './attribute-text.js'
import { parseDouble, parseInteger } from './json-number.js'
import type { JsonScanner } from './json-scanner.js'
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE, KEY_VALUE_LIST, type Field, type Message } from './schema.js'

const QUOTE = 0x22

/** Decodes the checked AnyValue at the scanner's position on top of `value`. The last member of the oneof wins. */
export function readJsonValue(scanner: JsonScanner, value: AnyValue = null): AnyValue {
  let result = value
  eachField(scanner, ANY_VALUE, (field) => {
    result = readMember(scanner, field, result)
  })
  return result
}

function readMember(scanner: JsonScanner, field: Field, before: AnyValue): AnyValue {
  if (scanner.isNull()) {
    scanner.literal('null')
    if (field.kind === 'string') return ''
    if (field.message === ARRAY_VALUE) return []
    return field.message ? new Map() : before
  }
  if (field.message === ARRAY_VALUE) return readArray(scanner)
  if (field.message) return readMap(scanner)
  if (field.kind === 'bool') {
    scanner.skipValue()
    return scanner.bytes[scanner.position - 2] === 0x75 // true, not false
  }
  if (scanner.bytes[scanner.position] === QUOTE) scanner.string()
  else scanner.number()
  const text = scanner.text()
  if (field.kind === 'int64') return parseInteger(text, 'int64') ?? null
  if (field.kind === 'double') return parseDouble(text) ?? null
  return field.kind === 'bytes' ? Buffer.from(text, 'base64') : text
}

function readArray(scanner: JsonScanner): AnyValue[] {
  const values: AnyValue[] = []
  eachElement(scanner, ARRAY_VALUE, () => values.push(readJsonValue(scanner)))
  return values
}

function readMap(scanner: JsonScanner): Map<string, AnyValue> {
  const map = new Map<string, AnyValue>()
  eachElement(scanner, KEY_VALUE_LIST, () => {
    let key = ''
    let value: AnyValue = null
    eachField(scanner, KEY_VALUE, (field) => {
      if (field.message) value = readJsonValue(scanner, value)
      else key = readText(scanner)
    })
    map.set(key, value)
  })
  return map
}

function eachElement(scanner: JsonScanner, list: Message, visit: () => void): void {
  eachField(scanner, list, () => {
    if (skipNull(scanner) || !scanner.openArray()) return
    do visit()
    while (scanner.nextElement())
  })
}

function readText(scanner: JsonScanner): string {
  if (skipNull(scanner)) return ''
  scanner.string()
  return scanner.text()
}

export function skipNull(scanner: JsonScanner): boolean {
  if (!scanner.isNull()) return false
  scanner.literal('null')
  return true
}

/** Visits the known fields of the message at the scanner's position; the visitor has to read their values. */
export function eachField(scanner: JsonScanner, message: Message, visit: (field: Field) => void): void {
  if (skipNull(scanner) || !scanner.openObject()) return
  do {
    scanner.key()
    const field = scanner.field(message)
    if (field) visit(field)
    else scanner.skipValue()
  } while (scanner.nextMember())
}
