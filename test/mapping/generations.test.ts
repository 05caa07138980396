import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { compareGenerations, decidingGeneration, type Generation } from '../../src/mapping/index.js'

const FIRST: Generation = {
  traceId: 'b',
  end: 1_000n,
  isOver: false,
  recordSpans: 10,
  mappingVersion: 1,
  redacted: true,
  digest: 'aa',
}

describe('the deciding import of a record', () => {
  it.each([
    ['ends later', { end: 1_001n }],
    ['is over', { isOver: true }],
    ['has more spans', { recordSpans: 11 }],
    ['was written by a newer mapping', { mappingVersion: 2 }],
    ['is not redacted', { redacted: false }],
    ['has the greater digest', { digest: 'ab' }],
    ['has the smaller trace id', { traceId: 'a' }],
  ] satisfies [string, Partial<Generation>][])('is the one that %s', (_, difference) => {
    const other = { ...FIRST, ...difference }
    expect(decidingGeneration([FIRST, other])).toBe(other)
    expect(decidingGeneration([other, FIRST])).toBe(other)
  })

  it('is the one with the latest time before any other rule', () => {
    const later = { ...FIRST, end: 1_001n }
    expect(decidingGeneration([{ ...FIRST, isOver: true, recordSpans: 99, redacted: false }, later])).toBe(later)
  })

  it('does not depend on the order of the imports', () => {
    const generation: fc.Arbitrary<Generation> = fc.record({
      traceId: fc.constantFrom('a', 'b', 'c'),
      end: fc.bigInt({ min: 0n, max: 1n }),
      isOver: fc.boolean(),
      recordSpans: fc.nat({ max: 1 }),
      mappingVersion: fc.nat({ max: 1 }),
      redacted: fc.boolean(),
      digest: fc.constantFrom('', 'a'),
    })
    fc.assert(
      fc.property(fc.array(generation, { minLength: 1 }), (generations) => {
        const deciding = decidingGeneration(generations)
        expect(decidingGeneration(generations.toReversed())).toEqual(deciding)
        expect(generations.toSorted(compareGenerations)[0]).toEqual(deciding)
      }),
    )
  })

  it('is undefined without any import', () => {
    expect(decidingGeneration([])).toBeUndefined()
  })
})
