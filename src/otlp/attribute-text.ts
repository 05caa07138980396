import { toWellFormed } from '../semconv/index.js'

/** A decoded AnyValue: `null` for an empty one, `bigint` for an int, `number` for a double. */
export type AnyValue =
  | null
  | string
  | boolean
  | bigint
  | number
  | Uint8Array
  | readonly AnyValue[]
  | ReadonlyMap<string, AnyValue>

/** Returns a value as the collector's ClickHouse exporter stores it: pdata's `Value.AsString()`. */
export function attributeText(value: AnyValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return doubleText(value)
  if (value instanceof Uint8Array) return base64(value)
  if (typeof value === 'object') return jsonText(value) ?? ''
  return String(value)
}

/**
 * Returns a value as Go's encoding/json writes it, with keys sorted by their bytes and no HTML escaping. Returns
 * undefined where Go fails (NaN, infinities).
 */
function jsonText(value: AnyValue): string | undefined {
  if (typeof value === 'string') return jsonString(value)
  if (typeof value === 'number') return Number.isFinite(value) ? doubleText(value) : undefined
  if (value === null || typeof value !== 'object') return String(value)
  // pdata holds empty bytes as nil, which Go writes as null.
  if (value instanceof Uint8Array) return value.length === 0 ? 'null' : `"${base64(value)}"`
  let body = ''
  if (isList(value)) {
    for (const item of value) {
      const text = jsonText(item)
      if (text === undefined) return undefined
      body += body === '' ? text : `,${text}`
    }
    return `[${body}]`
  }
  for (const key of [...value.keys()].sort(compareBytes)) {
    const text = jsonText(value.get(key) ?? null)
    if (text === undefined) return undefined
    body += `${body === '' ? '' : ','}${jsonString(key)}:${text}`
  }
  return `{${body}}`
}

const isList = (value: readonly AnyValue[] | ReadonlyMap<string, AnyValue>): value is readonly AnyValue[] =>
  Array.isArray(value)

/** Go writes the same shortest form as ECMAScript, except for the sign of zero. */
const doubleText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))

// oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
const NEEDS_ESCAPE = /["\\\u0000-\u001f\u2028\u2029]/
const LINE_SEPARATORS = /[\u2028\u2029]/g

/** A JSON string as Go writes it: escaped as JSON.stringify does, plus the two line separators U+2028 and U+2029. */
const jsonString = (text: string): string =>
  NEEDS_ESCAPE.test(text)
    ? JSON.stringify(toWellFormed(text)).replace(
        LINE_SEPARATORS,
        (separator) => `\\u${separator.charCodeAt(0).toString(16)}`,
      )
    : `"${text}"`

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** Compares by UTF-8 bytes: like UTF-16 order, except that surrogates come after the whole basic plane. */
function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
