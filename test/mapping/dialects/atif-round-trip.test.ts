import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type EncodedRecord } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { atifText } from '../../support/atif-records.js'
import { messyAtif } from '../../support/messy-atif.js'
import { verdictBesidesTimes } from '../../support/verdict-besides-times.js'

const encodeOne = (text: string): EncodedRecord => encodeRecords(new TextEncoder().encode(text)).next().value!
const fixture = (name: string) => readFileSync(new URL(`../../fixtures/atif/${name}`, import.meta.url), 'utf8')
const residuals = ({ spans }: EncodedRecord) => spans.flatMap(({ attributes }) => attributes[ATTR.residual] ?? [])

/** The stored rows in another order, some of them twice. */
const shuffled = (rows: readonly StoredSpan[]): fc.Arbitrary<StoredSpan[]> =>
  fc
    .tuple(fc.shuffledSubarray([...rows], { minLength: rows.length }), fc.shuffledSubarray([...rows]))
    .map(([all, again]) => [...all, ...again])

describe('a canonical trajectory in the interchange format', () => {
  test.each([
    ['harbor.json', 'harbor'],
    ['terminus.json', 'harbor'],
    ['package.json', 'package'],
  ])('%s is detected by its content and rebuilt without a residual', (name, era) => {
    const text = fixture(name)
    const record = encodeOne(text)
    expect(record).toMatchObject({ dialect: 'atif', era })
    expect(residuals(record)).toEqual([])
    expect(decodeRecord(record.spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete' })
  })

  test.each(['harbor', 'package'] as const)(
    'of the %s is rebuilt byte for byte, in any order of its spans and with duplicates',
    (writer) => {
      fc.assert(
        fc.property(
          atifText(writer).chain((text) => {
            const encoded = encodeOne(text)
            return fc.record({
              text: fc.constant(text),
              encoded: fc.constant(encoded),
              rows: shuffled(encoded.spans.map(toStoredSpan)),
            })
          }),
          ({ text, encoded, rows }) => {
            // The order of the last keys of a step identifies the writer.
            if (encoded.era === writer) expect(residuals(encoded)).toEqual([])
            expect(decodeRecord(rows)).toMatchObject({ text, dialect: 'atif', verdict: 'complete', missing: [] })
          },
        ),
        { numRuns: 60 },
      )
    },
  )
})

/** A trajectory that embeds another with planspan's own keys. */
const IN_ITSELF =
  '{"schema_version":"ATIF-v1.8","steps":[],"extra":{"planspan":{}},"subagent_trajectories":[{"trajectory_id":"t"}],"trajectory_id":"t"}'

test('an unusual trajectory is rebuilt byte for byte, too', () => {
  fc.assert(
    fc.property(messyAtif, (text) => {
      const record = encodeOne(text)
      expect(record.dialect).toBe('atif')
      const decoded = decodeRecord(record.spans.map(toStoredSpan))
      expect({ text: decoded?.text, verdict: verdictBesidesTimes(decoded) }).toEqual({ text, verdict: 'complete' })
      for (const { startTimeUnixNano, endTimeUnixNano } of record.spans) {
        expect(endTimeUnixNano >= startTimeUnixNano && startTimeUnixNano >= 0n).toBe(true)
      }
    }),
    { numRuns: 150, examples: [[IN_ITSELF]] },
  )
})
