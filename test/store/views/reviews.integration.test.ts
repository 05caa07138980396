import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeRecord } from '../../../src/mapping/index.js'
import { ATTR, EVENTS, type StoredSpan } from '../../../src/semconv/index.js'
import { execute } from '../../support/clickhouse.js'
import { at, finalRow } from '../../support/live-rows.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertStoredSpans } from '../spans.js'

let { store, fresh, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, close } = await freshStore())
})

afterAll(() => close())

/** A segment of a plan: its reviews, and whether it tells them as a list, as events, or as both. */
const segment = fc.record({
  reviews: fc.array(
    fc.record(
      { action: fc.constantFrom('REQUEST_CHANGES', 'ACCEPT_PLAN'), feedback: fc.constantFrom('cheaper', 'fine') },
      { requiredKeys: ['action'] },
    ),
    { maxLength: 2 },
  ),
  told: fc.constantFrom('list', 'events', 'both'),
})
const plan = fc.array(segment, { minLength: 1, maxLength: 3 })

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never

function spansOf(segments: Plan, traceId: string): StoredSpan[] {
  let attempt = 0
  return segments.map(({ reviews, told }, index) => {
    const numbered = reviews.map((review) => ({ attempt: ++attempt, ...review }))
    const row = finalRow({
      id: `${traceId}/${index}`,
      role: 'plan',
      planId: traceId,
      ...(index > 0 && { parent: `${traceId}/${index - 1}` }),
      start: index * 10,
      attributes: {
        [ATTR.planSegment]: String(index),
        [ATTR.state]: index === segments.length - 1 ? 'completed' : 'waiting',
        ...(told !== 'events' && { [ATTR.reviewLog]: JSON.stringify(numbered) }),
      },
    })
    const events = numbered.map(({ attempt, action, feedback }) => ({
      timeUnixNano: at(index * 10),
      name: EVENTS.review,
      attributes: {
        [ATTR.reviewAttempt]: String(attempt),
        [ATTR.reviewAction]: action,
        ...(feedback !== undefined && { [ATTR.reviewFeedback]: feedback }),
      },
    }))
    return { ...row, traceId, events: told === 'list' ? [] : events }
  })
}

const CASES = 100

test('the view tells of every plan the reviews that its record tells', async () => {
  const plans = fc.sample(plan, CASES).map((one, index) => spansOf(one, String(index + 1).padStart(32, '0')))
  await insertStoredSpans(store.client, fresh.database, plans.flat())
  const expected = plans.flatMap((rows) => {
    const { text, traceId } = decodeRecord(rows)!
    const { planspan } = JSON.parse(text) as { planspan: { reviews?: Record<string, unknown>[] } | null }
    return (planspan?.reviews ?? []).map(({ attempt, action, feedback = '' }) => [traceId, attempt, action, feedback])
  })
  expect(expected.length).toBeGreaterThan(CASES)
  const answer = await execute(
    fresh.url,
    `SELECT TraceId, toInt32(Attempt), Decision, Feedback FROM ${fresh.database}.reviews ORDER BY TraceId, Attempt
     FORMAT JSONCompactEachRow`,
  )
  const told = answer
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[])
  expect(told).toEqual(expected)
})
