import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callShape, researcherShape, runShape } from '../../src/mapping/dialects/review-log/shapes.js'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../src/mapping/index.js'
import type { Shape } from '../../src/mapping/shape.js'
import { jsonSpace, jsonText } from '../support/arbitrary-json.js'

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

/** An object with some of a shape's keys, some twice or holding what they never hold, in any order and layout. */
function messy(shape: Shape, structures: Nested): fc.Arbitrary<string> {
  const nested: Nested = {
    ...Object.fromEntries(
      Object.entries(shape).flatMap(([key, entry]) => ('form' in entry ? [] : [[key, messy(entry as Shape, {})]])),
    ),
    ...structures,
  }
  const keys = [...new Set([...Object.keys(shape), ...Object.keys(nested)])]
  const member = fc.oneof({ arbitrary: fc.constantFrom(...keys), weight: 8 }, fc.constant('other')).chain((key) => {
    const inner = nested[key]
    const value = inner ? fc.oneof({ arbitrary: inner, weight: 4 }, anyValue) : anyValue
    return fc.tuple(jsonSpace, fc.constant(key), jsonSpace, jsonSpace, value, jsonSpace)
  })
  return fc
    .array(member, { maxLength: 8 })
    .map((members) => `{${members.map(([a, key, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`).join(',')}}`)
}

const call = messy(callShape, {})
const calls = fc
  .array(fc.oneof({ arbitrary: call, weight: 4 }, anyValue), { maxLength: 3 })
  .map((items) => `[${items.join(' ,')}]`)
const researcher = messy(researcherShape, { calls })
const telemetry = messy({}, { researcher })
const run = fc
  .tuple(jsonSpace, messy(runShape, { telemetry }), jsonSpace)
  .map(
    ([head, rest, tail]) =>
      `${head}{"question":"q","plan":{},"locale":1${rest === '{}' ? '' : ','}${rest.slice(1)}${tail}`,
  )

describe('a planner run as no planner writes it', () => {
  test('comes back byte for byte all the same', () => {
    fc.assert(
      fc.property(fc.constantFrom('', '\uFEFF'), run, (mark, rest) => {
        const text = mark + rest
        const [record] = encodeRecords(new TextEncoder().encode(text))
        expect(record?.dialect).toBe('review-log')
        expect(decodeRecord(record!.spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete' })
      }),
      { numRuns: 400 },
    )
  })
})
