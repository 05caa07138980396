import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyDeviations } from '../../../src/mapping/json/apply-residual.js'
import type { JsonObject } from '../../../src/mapping/json/node.js'
import { parseJsonDocument } from '../../../src/mapping/json/parse.js'
import { diffFromCanonical, type Deviation } from '../../../src/mapping/json/residual.js'
import { detectStyle } from '../../../src/mapping/json/detect-style.js'
import { bare, writeJsonDocument } from '../../../src/mapping/json/write.js'
import { jsonText } from '../../support/arbitrary-json.js'

/** Parses, forgets, and rebuilds a document from a canonical one and the deviations alone. */
function rebuild(canonicalText: string, actualText: string): { text: string; deviations: readonly Deviation[] } {
  const canonical = bare(parseJsonDocument(canonicalText).root) as JsonObject
  const { end, ...parsed } = parseJsonDocument(actualText)
  const document = { ...parsed, tail: actualText.slice(end) }
  const style = detectStyle(document, false)
  const deviations = diffFromCanonical(canonical, document.root, style, '').get('') ?? []
  const stored = JSON.parse(JSON.stringify({ style, deviations })) as { style: typeof style; deviations: Deviation[] }
  const rebuilt = bare(parseJsonDocument(canonicalText).root) as JsonObject
  applyDeviations(rebuilt, stored.deviations, stored.style)
  return { text: writeJsonDocument(rebuilt, stored.style), deviations }
}

describe('the residual', () => {
  test.each([
    ['nothing, when the writing is canonical', '{"a":1,"b":"x"}', '{"a":1,"b":"x"}', []],
    ['an unknown key', '{"a":1}', '{"a":1,"z":[1,{"y":null}]}', [['set', '/z', '[1,{"y":null}]']]],
    ['a missing key', '{"a":1,"b":2}', '{"b":2}', [['unset', '/a']]],
    ['an explicit null', '{}', '{"a":null}', [['set', '/a', 'null']]],
    ['another order', '{"a":1,"b":2}', '{"b":2,"a":1}', [['order', '', ['/b', '/a']]]],
    ['a number’s text', '{"a":75}', '{"a":75.0}', [['number', '/a', '75.0']]],
    ['another number', '{"a":75}', '{"a":76}', [['set', '/a', '76']]],
    ['an escape', '{"a":"x/y"}', String.raw`{"a":"x\/y"}`, [['escape', '/a', [[1, '\\/']]]]],
    ['a lone surrogate', '{"a":"\uFFFD"}', String.raw`{"a":"\ud800"}`, [['escape', '/a', [[0, '\\ud800']]]]],
    ['an escaped key', '{"a":1}', String.raw`{"\u0061":1}`, [['escape-key', '/a', [[0, '\\u0061']]]]],
    ['a repeated key', '{"a":1}', '{"a":1,"a":2}', [['set', '/a~21', '2']]],
    ['a key with a slash and a tilde', '{}', '{"a/b~c":1}', [['set', '/a~1b~0c', '1']]],
    ['white space in one place', '{"a":[1,2],"b":0}', '{"a":[1, 2],"b":0}', [['space', '/a', [[2, ' ']]]]],
  ])('contains %s', (_, canonical, actual, deviations) => {
    expect(rebuild(canonical, actual)).toEqual({ text: actual, deviations })
  })

  test('restores any JSON text from any canonical document', () => {
    fc.assert(
      fc.property(jsonText('object'), jsonText('object'), (canonical, actual) => {
        expect(rebuild(canonical, actual).text).toBe(actual)
      }),
      { numRuns: 500 },
    )
  })

  test('is empty for a document in a plain style', () => {
    const value = { b: [1, 2.5, { c: 'ü \n "q"' }], a: { d: null, e: [], f: {} }, g: true }
    for (const actual of [JSON.stringify(value), JSON.stringify(value, null, 2), JSON.stringify(value, null, '\t')]) {
      expect(rebuild(JSON.stringify(value), actual)).toEqual({ text: actual, deviations: [] })
    }
  })
})

const deep = '['.repeat(2000)

describe('the parser', () => {
  test.each([
    ['{"a":}', 'unexpected "}", line 1, column 6'],
    ['{"a":1,}', 'expected a key in double quotes, line 1, column 8'],
    ['{"a":1', 'expected "," or "}", line 1, column 7'],
    ['[1 2]', 'expected "," or "]", line 1, column 4'],
    ['{"a" 1}', 'expected ":" after the key, line 1, column 6'],
    ['"abc', 'a string is not closed, line 1, column 5'],
    ['"\\x"', 'unknown escape in a string, line 1, column 2'],
    ['{\n  "a": nul\n}', 'unexpected "n", line 2, column 8'],
    ['', 'the text ends where a value is expected, line 1, column 1'],
    [
      deep,
      /^JSON nested deeper than 1000 levels, line 1, column 1002\. .* 250 nested sub-plans\. .* separate records\.$/,
    ],
  ])('rejects %.40s and reports the position', (text, message) => {
    expect(() => parseJsonDocument(text)).toThrow(message)
  })

  test('accepts raw control characters inside strings, which hand-written serializers leave', () => {
    expect(parseJsonDocument('"a\u0001\tb"').root).toMatchObject({ value: 'a\u0001\tb' })
  })
})
