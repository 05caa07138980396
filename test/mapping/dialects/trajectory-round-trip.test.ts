import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type EncodedRecord } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { trajectoryText, trajText } from '../../support/trajectory-records.js'

const encodeOne = (text: string): EncodedRecord => encodeRecords(new TextEncoder().encode(text)).next().value!

/** The stored rows in another order, some of them twice. */
const shuffled = (rows: readonly StoredSpan[]): fc.Arbitrary<StoredSpan[]> =>
  fc
    .tuple(fc.shuffledSubarray([...rows], { minLength: rows.length }), fc.shuffledSubarray([...rows]))
    .map(([all, again]) => [...all, ...again])

describe('a canonical record of SafePred', () => {
  test.each([
    ['execution_trajectory.json', 'trajectory', trajectoryText],
    ['traj.jsonl', 'trajectory:traj', trajText],
  ])('%s is rebuilt byte for byte as %s, in any order of its spans and with duplicates', (_, dialect, record) => {
    fc.assert(
      fc.property(
        record.chain((text) => {
          const encoded = encodeOne(text)
          return fc.record({
            text: fc.constant(text),
            encoded: fc.constant(encoded),
            rows: shuffled(encoded.spans.map(toStoredSpan)),
          })
        }),
        ({ text, encoded, rows }) => {
          const decoded = decodeRecord(rows)
          expect(encoded.spans.flatMap(({ attributes }) => attributes[ATTR.residual] ?? [])).toEqual([])
          expect(decoded?.text).toBe(text)
          expect(decoded).toMatchObject({ dialect, verdict: 'complete', missing: [], traceId: encoded.traceId })
        },
      ),
      { numRuns: 60 },
    )
  })
})
