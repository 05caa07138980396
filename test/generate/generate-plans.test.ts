import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { generatePlans, type GeneratedPlan, type GenerateOptions } from '../../src/generate/index.js'
import { decodeRecord, foldSpans, toStoredSpan } from '../../src/mapping/index.js'
import { ATTR, PENDING, ROLES } from '../../src/semconv/index.js'

const UNTIL = Date.UTC(2026, 2, 4, 12)
const options: GenerateOptions = { plans: 400, days: 7, seed: 'test', until: UNTIL }
const plans = [...generatePlans(options)]
const spans = plans.flatMap((plan) => plan.spans)

const rootOf = ({ spans: [root] }: GeneratedPlan) => root!.attributes
const valuesOf = (key: string) => new Set(spans.map(({ attributes }) => attributes[key]))

describe('generated plans', () => {
  test('depend on the seed, the index, the days and the end, but not on the number of plans', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 30 }),
        (seed, count, days) => {
          const some = { days, seed, until: UNTIL }
          const many = [...generatePlans({ ...some, plans: 12 })]
          expect([...generatePlans({ ...some, plans: count })]).toEqual(many.slice(0, count))
        },
      ),
      { numRuns: 10 },
    )
    expect(plans.slice(0, 3)).not.toEqual([...generatePlans({ ...options, seed: 'other', plans: 3 })])
  })

  test('have the shapes of all systems and every state', () => {
    const dialects = new Set(plans.map((plan) => rootOf(plan)[ATTR.recordDialect]))
    expect(dialects).toEqual(new Set([undefined, 'plan-execution', 'trajectory', 'review-log', 'plan-act:events']))
    const states = valuesOf(ATTR.state)
    for (const state of ['running', 'waiting', 'completed', 'failed', 'cancelled', 'interrupted']) {
      expect(states).toContain(state)
    }
    expect(valuesOf(ATTR.spanKind)).toEqual(new Set(ROLES))
    expect(valuesOf(ATTR.spanState)).toContain(PENDING)
  })

  test('contain everything that dashboards show', () => {
    for (const key of [
      ATTR.budgetCostUsd,
      ATTR.errorType,
      ATTR.planParentId,
      ATTR.planUpdateReason,
      ATTR.searchDegradationMode,
      ATTR.reviewLog,
      ATTR.usageCacheReadTokens,
      ATTR.waitResolution,
    ]) {
      expect([...valuesOf(key)].filter((value) => value !== undefined)).not.toEqual([])
    }
    expect(valuesOf(ATTR.usageSource)).toEqual(
      new Set([undefined, 'world_model', 'policy_guardrail', 'reactive_guardrail']),
    )
    const unsafe = spans.filter(({ attributes }) => attributes[ATTR.riskIsSafe] === false)
    const guarded = new Set(spans.flatMap(({ links }) => links.map(({ spanId }) => spanId)))
    expect(unsafe.some(({ spanId }) => guarded.has(spanId))).toBe(true)
    expect(unsafe.some(({ spanId, name }) => name === 'run_guardrail safepred' && !guarded.has(spanId))).toBe(true)
  })

  test('begin within the days, and end by the end of the period', () => {
    for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans) {
      expect(start).toBeGreaterThanOrEqual(BigInt(UNTIL - 7 * 86_400_000) * 1_000_000n)
      expect(end).toBeGreaterThanOrEqual(start)
      expect(end).toBeLessThanOrEqual(BigInt(UNTIL) * 1_000_000n)
    }
  })

  test('have unique span ids, and parents that exist', () => {
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
    for (const plan of plans) {
      const folded = foldSpans(plan.spans.map(toStoredSpan))
      const ids = new Set(folded.map(({ spanId }) => spanId))
      expect(folded.filter(({ parentSpanId }) => parentSpanId !== '' && !ids.has(parentSpanId))).toEqual([])
    }
  })

  test('are complete and canonical records without a residual', () => {
    expect(spans.filter(({ attributes }) => attributes[ATTR.residual] !== undefined)).toEqual([])
    for (const plan of plans) {
      const decoded = decodeRecord(plan.spans.map(toStoredSpan))
      expect([decoded?.verdict, decoded?.missing]).toEqual(['complete', []])
    }
  })
})
