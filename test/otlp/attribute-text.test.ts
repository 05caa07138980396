import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { attributeText, type AnyValue } from '../../src/otlp/attribute-text.js'
import { anyValue } from './arbitrary-request.js'
import { asString } from './collector-oracle.js'
import type { AnyValueJson } from './encode-request.js'

const map = (entries: Record<string, AnyValue>) => new Map(Object.entries(entries))

describe('the text of an attribute', () => {
  it.each<[string, AnyValue, string]>([
    ['nothing', null, ''],
    ['a string as it is', 'a "b" <>&', 'a "b" <>&'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['an int', 9007199254740993n, '9007199254740993'],
    ['the smallest int', -(2n ** 63n), '-9223372036854775808'],
    ['a whole double', 75, '75'],
    ['zero with a sign', -0, '-0'],
    ['a small double', 1e-7, '1e-7'],
    ['the least double without an exponent', 1e-6, '0.000001'],
    ['the last double without an exponent', 1e20, '100000000000000000000'],
    ['the first double with one', 1e21, '1e+21'],
    ['NaN', NaN, 'NaN'],
    ['an infinity', -Infinity, '-Infinity'],
    ['bytes as base64', Uint8Array.of(0, 255, 16), 'AP8Q'],
    ['an empty array', [], '[]'],
    ['an empty map', new Map(), '{}'],
    ['a mixed array', ['x', 1n, 2, true, null], '["x",1,2,true,null]'],
    [
      'a map with its keys in the order of their bytes',
      map({ b: 2n, a: '1', ä: true, Z: 0.5 }),
      '{"Z":0.5,"a":"1","b":2,"ä":true}',
    ],
    [
      'keys beyond the basic plane behind all others',
      map({ '\u{1F600}': 1n, '\uE000': 2n }),
      '{"\uE000":2,"\u{1F600}":1}',
    ],
    ['bytes in an array', [Uint8Array.of(0, 255)], '["AP8="]'],
    ['no bytes in an array', [Uint8Array.of()], '[null]'],
    ['NaN in an array, which Go refuses', [[NaN]], ''],
    ['an infinity in a map', map({ a: Infinity }), ''],
    [
      'control characters and line separators',
      ['\u0001\u001f\u2028\u2029\b\f\u007f'],
      '["\\u0001\\u001f\\u2028\\u2029\\b\\f\u007f"]',
    ],
    ['no HTML escaping', ['<>&/'], '["<>&/"]'],
  ])('of %s', (_, value, text) => {
    expect(attributeText(value)).toBe(text)
  })

  it("is the collector's for any value", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(attributeText(decode(value))).toBe(asString(value))
      }),
    )
  })
})

function decode(value: AnyValueJson): AnyValue {
  const wellFormed = (text: string) => Buffer.from(text).toString()
  if (value.stringValue !== undefined) return wellFormed(value.stringValue)
  if (value.intValue !== undefined) return BigInt(value.intValue)
  if (value.doubleValue !== undefined) return Number(value.doubleValue)
  if (value.bytesValue !== undefined) return Buffer.from(value.bytesValue, 'base64')
  if (value.arrayValue) return value.arrayValue.values.map(decode)
  if (value.kvlistValue) {
    return new Map(value.kvlistValue.values.map(({ key = '', value: item }) => [wellFormed(key), decode(item ?? {})]))
  }
  return value.boolValue ?? null
}
