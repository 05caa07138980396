import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type EncodedRecord } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { firstPlan, lynxeAgent, lynxePlan } from '../../support/plan-execution-records.js'

const encodeOne = (text: string): EncodedRecord => {
  const [record, ...more] = encodeRecords(new TextEncoder().encode(text))
  expect(more).toEqual([])
  return record!
}

/** The stored rows in another order, some of them twice. */
const shuffled = (rows: readonly StoredSpan[]): fc.Arbitrary<StoredSpan[]> =>
  fc
    .tuple(fc.shuffledSubarray([...rows], { minLength: rows.length }), fc.shuffledSubarray([...rows]))
    .map(([all, again]) => [...all, ...again])

/** Formats like Jackson: escapes with upper-case hex digits. */
const jackson = (record: unknown): string =>
  JSON.stringify(record).replace(/\\u00([01][0-9a-f])/g, (_, hex: string) => `\\u00${hex.toUpperCase()}`)

describe('a canonical record', () => {
  const records = {
    'a Lynxe plan': lynxePlan.map(jackson),
    'a Lynxe agent execution': lynxeAgent.map(jackson),
    'a plan of the first era': firstPlan.map((record) => JSON.stringify(record)),
  }
  test.each(Object.entries(records))(
    '%s is rebuilt byte for byte, in any order of its spans and with duplicates',
    (_, record) => {
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
            expect(decoded?.text).toBe(text)
            expect(decoded).toMatchObject({ verdict: 'complete', missing: [], traceId: encoded.traceId })
            expect(encoded.spans.filter((span) => ATTR.residual in span.attributes)).toEqual([])
          },
        ),
        { numRuns: 60 },
      )
    },
  )
})

describe('a real record', () => {
  test.each([
    ['doc-example-2025-03-28.json', 'A', 'running'],
    ['legacy-details-running.json', 'B', 'running'],
    ['details-waiting-input.json', 'E++', 'waiting'],
    ['agent-execution-detail.json', 'E++', 'completed'],
  ])('%s of era %s is rebuilt byte for byte, as %s', (file, era, state) => {
    const text = readFileSync(new URL(`../../fixtures/lynxe/${file}`, import.meta.url), 'utf8')
    const encoded = encodeOne(text)
    const decoded = decodeRecord(encoded.spans.map(toStoredSpan))
    expect(decoded?.text).toBe(text)
    expect({ era: encoded.era, ...decoded }).toMatchObject({ era, state, verdict: 'complete', live: false })
    const residual = encoded.spans.flatMap((span) => span.attributes[ATTR.residual] ?? []).join('')
    const allowed = file.startsWith('doc') ? { style: { indent: '    ', colon: ' ', tail: '\n' } } : undefined
    expect(residual).toBe(allowed ? JSON.stringify(allowed) : '')
  })
})

describe('the identity of a record', () => {
  const text = '{"planId":"p","userRequest":"r"}'
  const traceIdOf = (record: string, options = {}): string | undefined =>
    encodeRecords(new TextEncoder().encode(record), options).next().value?.traceId

  test('is the same for the same import and differs for another one', () => {
    const ids = [
      traceIdOf(text),
      traceIdOf(`${text}\n`),
      traceIdOf(text, { source: 'b' }),
      traceIdOf(text, { timeZone: 'Europe/Berlin' }),
      traceIdOf(text, { redacted: true }),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    expect(traceIdOf(text)).toBe(ids[0])
  })

  test('gives each span a unique id, below its parent', () => {
    fc.assert(
      fc.property(lynxePlan.map(jackson), (record) => {
        const { spans } = encodeOne(record)
        const ids = new Set(spans.map(({ spanId }) => spanId))
        expect(ids.size).toBe(spans.length)
        expect(spans.slice(1).every(({ parentSpanId }) => ids.has(parentSpanId))).toBe(true)
        expect(spans.every((span) => span.endTimeUnixNano >= span.startTimeUnixNano)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

test.each([
  ['{"planId":"p","userRequest":"r","currentPlanId":"q"}', 'p'],
  ['{"currentPlanId":"q","rootPlanId":"q","planId":"p"}', 'q'],
  ['{"planId":"","userRequest":"r","currentPlanId":"q"}', 'q'],
])('uses one id for the plan of %s', (text, planId) => {
  const { spans, ...record } = encodeOne(text)
  expect(record.planId).toBe(planId)
  expect(spans[0]?.attributes[ATTR.planId]).toBe(planId)
})
