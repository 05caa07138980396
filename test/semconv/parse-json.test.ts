import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseJson } from '../../src/semconv/index.js'

const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '"]}\\""' + '}]'.repeat(levels / 2)

test('any JSON text is parsed', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
  for (const text of ['', '{', 'x', '[1,]', '['.repeat(2_000)]) expect(parseJson(text)).toBeUndefined()
})

test('except data nested deeper than 1,000 levels', () => {
  expect(parseJson(nested(1_000))).toBeDefined()
  expect(parseJson(nested(1_002))).toBeUndefined()
  expect(parseJson(JSON.stringify(Array.from({ length: 5_000 }, () => ['[{"'])))).toHaveLength(5_000)
})
