import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Random } from '../../../src/generate/random.js'
import { livePlan } from '../../../src/generate/generated-live-plan.js'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { figuresOf } from '../../support/told-figures.js'

const START = Date.UTC(2026, 2, 4, 12)

const MONTH = 86_400_000 * 30

const liveOf = (number: number, lasts: number): StoredSpan[] =>
  livePlan({ random: new Random(`import/${String(number)}`), start: START, until: START + lasts }).spans.map(
    toStoredSpan,
  )

const recordOf = (number: number, lasts: number): string => decodeRecord(liveOf(number, lasts))!.text

/** The keys of `planspan` that are stored on spans. */
const KEPT_ON_SPANS = ['usage', 'modelCalls', 'risk', 'assessments', 'reviews', 'waits', 'state']

test.each([
  ['that has ended', fc.constant(MONTH)],
  ['in flight', fc.integer({ min: 1, max: 600_000 })],
])('the record of a live plan %s, imported, has the same content and is rebuilt byte for byte', (_, lasting) => {
  fc.assert(
    fc.property(fc.nat(10_000), lasting, (number, lasts) => {
      const live = liveOf(number, lasts)
      const { text } = decodeRecord(live)!
      const imported = encodeRecords(Buffer.from(text)).next().value!.spans.map(toStoredSpan)
      expect(decodeRecord(imported)).toMatchObject({ text, verdict: 'complete' })
      const residuals = imported.map(({ attributes }: StoredSpan) => attributes[ATTR.residual] ?? '').join()
      expect(KEPT_ON_SPANS.filter((key) => residuals.includes(`planspan/${key}`))).toEqual([])
      expect(figuresOf(imported)).toEqual(figuresOf(live))
    }),
    { numRuns: 150 },
  )
})

const cameBack = (text: string) => decodeRecord([...encodeRecords(Buffer.from(text))][0]!.spans.map(toStoredSpan))

test('with any value in planspan’s key, the record is rebuilt byte for byte', () => {
  const names = ['usage', 'risk', 'reviews', 'waits', 'errors', 'assessments', 'inputTokens', 'score', 'policies', 'x']
  const key = fc.constantFrom(...names, 'action', 'worldModel', 'elementChanges', 'startTime', 'endTime', 'reason')
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false, 0, -1, 1.5, 1e30, '', 'plan_review', '2026-03-04T12:00:00Z', '[', '1'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(fc.nat(20), fc.array(value, { minLength: 1, maxLength: 5 }), (number, values) => {
      let at = 0
      const text = JSON.stringify(JSON.parse(recordOf(number, 600_000)), (name, own: unknown) =>
        name === 'planspan' ? values[at++ % values.length] : own,
      )
      expect(cameBack(text)).toMatchObject({ text, verdict: 'complete' })
    }),
    { numRuns: 200 },
  )
})
