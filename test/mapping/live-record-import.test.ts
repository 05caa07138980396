import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Random } from '../../src/generate/random.js'
import { livePlan } from '../../src/generate/live-plan.js'
import {
  buildForest,
  decodeRecord,
  encodeRecords,
  foldSpans,
  toStoredSpan,
  usageBelow,
  walk,
} from '../../src/mapping/index.js'
import { ATTR, decodeFields, guardrailFields, type StoredSpan } from '../../src/semconv/index.js'

const START = Date.UTC(2026, 2, 4, 12)

/** What people count of a plan: tokens, assessments, reviews and waits. */
function figuresOf(spans: readonly StoredSpan[]) {
  const [tree] = buildForest(foldSpans(spans))
  const nodes = [...walk(tree!)]
  const of = (role: string) => nodes.filter((node) => node.role === role && !node.span.pending)
  const reviews = tree!.span.attributes[ATTR.reviewLog]
  return {
    usage: usageBelow(tree!),
    risks: of('guardrail')
      .map(({ span }) => decodeFields(guardrailFields, span.attributes))
      .map(({ name, score, isSafe, policies }) => JSON.stringify([name, score, isSafe, policies]))
      .sort(),
    reviews: reviews === undefined ? [] : JSON.parse(reviews),
    waits: of('wait')
      .map(({ span }) => [ATTR.waitReason, ATTR.waitResolution, ATTR.waitActor].map((key) => span.attributes[key]))
      .map((facts) => JSON.stringify(facts))
      .sort(),
  }
}

test.each(Array.from({ length: 40 }, (_, number) => number))(
  'the record of the live plan %i, imported, tells the same figures and comes back byte for byte',
  (number) => {
    const random = new Random(`import/${String(number)}`)
    const live = livePlan({ random, start: START, until: START + 86_400_000 * 30 }).spans.map(toStoredSpan)
    const { text } = decodeRecord(live)!
    const [record] = encodeRecords(Buffer.from(text))
    const imported = record!.spans.map(toStoredSpan)
    expect(decodeRecord(imported)).toMatchObject({ text, verdict: 'complete' })
    // The key has its home on spans, and no copy beside them.
    expect(imported.filter(({ attributes }) => attributes[ATTR.residual]?.includes('assessments'))).toEqual([])
    expect(figuresOf(imported)).toEqual(figuresOf(live))
  },
)

const recordOf = (number: number, lasts: number): string => {
  const random = new Random(`import/${String(number)}`)
  return decodeRecord(livePlan({ random, start: START, until: START + lasts }).spans.map(toStoredSpan))!.text
}

const cameBack = (text: string) => decodeRecord([...encodeRecords(Buffer.from(text))][0]!.spans.map(toStoredSpan))

test('the record of a live plan in flight, imported, comes back byte for byte', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 600_000 }), (number, lasts) => {
      const text = recordOf(number, lasts)
      expect(cameBack(text)).toMatchObject({ text, verdict: 'complete' })
      const usage = (JSON.parse(text) as { planspan?: { usage?: unknown } }).planspan?.usage
      const [record] = encodeRecords(Buffer.from(text))
      expect(figuresOf(record!.spans.map(toStoredSpan)).usage).toEqual(usage)
    }),
    { numRuns: 100 },
  )
})

test('whatever stands where planspan writes its key, the record comes back byte for byte', () => {
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
