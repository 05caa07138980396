import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CALL, RESEARCHER, RUN } from '../../../src/mapping/dialects/review-log/properties.js'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import type { Properties } from '../../../src/mapping/record-object/property.js'
import { jsonSpace, jsonText } from '../../support/arbitrary-json.js'
import { verdictBesidesTimes } from '../../support/verdict-besides-times.js'

const anyValue = fc.oneof(
  jsonText('any'),
  fc.constantFrom(
    'null',
    '""',
    '"a"',
    '7',
    '7.0',
    '-0.0',
    '1e400',
    '[]',
    '["a"]',
    '[{}]',
    '{}',
    '"2025-10-09T12:34:25"',
  ),
)

interface Nested {
  readonly [key: string]: fc.Arbitrary<string>
}

/** An object with some of its keys, including duplicates and values of wrong types, in any order and layout. */
function messy(properties: Properties, structures: Nested): fc.Arbitrary<string> {
  const nested: Nested = {
    ...Object.fromEntries(
      Object.entries(properties).flatMap(([key, property]) =>
        property.kind === 'nested' ? [[key, messy(property.properties, structures)]] : [],
      ),
    ),
    ...structures,
  }
  const keys = [...new Set([...Object.keys(properties), ...Object.keys(nested)])]
  const member = fc.oneof({ arbitrary: fc.constantFrom(...keys), weight: 8 }, fc.constant('other')).chain((key) => {
    const inner = nested[key]
    const value = inner ? fc.oneof({ arbitrary: inner, weight: 4 }, anyValue) : anyValue
    return fc.tuple(jsonSpace, fc.constant(key), jsonSpace, jsonSpace, value, jsonSpace)
  })
  return fc
    .array(member, { maxLength: 8 })
    .map((members) => `{${members.map(([a, key, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`).join(',')}}`)
}

const call = messy(CALL, {})
const calls = fc
  .array(fc.oneof({ arbitrary: call, weight: 4 }, anyValue), { maxLength: 3 })
  .map((items) => `[${items.join(' ,')}]`)
const researcher = messy(RESEARCHER, { calls })
const run = fc
  .tuple(jsonSpace, messy(RUN, { researcher }), jsonSpace)
  .map(
    ([head, rest, tail]) =>
      `${head}{"question":"q","plan":{},"locale":1${rest === '{}' ? '' : ','}${rest.slice(1)}${tail}`,
  )

describe('an unusual planner run', () => {
  test('is rebuilt byte for byte, too', () => {
    fc.assert(
      fc.property(fc.constantFrom('', '\uFEFF'), run, (mark, rest) => {
        const text = mark + rest
        const [record] = encodeRecords(new TextEncoder().encode(text))
        expect(record?.dialect).toBe('review-log')
        const decoded = decodeRecord(record!.spans.map(toStoredSpan))
        expect({ text: decoded?.text, verdict: verdictBesidesTimes(decoded) }).toEqual({ text, verdict: 'complete' })
      }),
      { numRuns: 400 },
    )
  })
})
