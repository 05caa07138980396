import { expect, test } from 'vitest'
import { decodeRecord, type DialectName } from '../../../src/mapping/index.js'
import { ATTR, EVENTS, type StoredSpan } from '../../../src/semconv/index.js'
import { finalRow } from '../../support/live-rows.js'

interface Review {
  readonly attempt: number
  readonly action: string
  readonly feedback?: string
}

const ASKED: Review = { attempt: 1, action: 'REQUEST_CHANGES', feedback: 'cheaper' }
const ACCEPTED: Review = { attempt: 2, action: 'ACCEPT_PLAN' }

const eventOf = ({ attempt, action, feedback }: Review) => ({
  timeUnixNano: 0n,
  name: EVENTS.review,
  attributes: {
    [ATTR.reviewAttempt]: String(attempt),
    [ATTR.reviewAction]: action,
    ...(feedback !== undefined && { [ATTR.reviewFeedback]: feedback }),
  },
})

/** A segment of a plan with some reviews in its list and some as events. */
function plan(segment: number, { log, events = [] }: { log?: string; events?: readonly Review[] }): StoredSpan {
  const row = finalRow({
    id: `plan-${segment}`,
    role: 'plan',
    ...(segment > 0 && { parent: `plan-${segment - 1}` }),
    start: segment,
    attributes: {
      [ATTR.planSegment]: String(segment),
      [ATTR.state]: 'completed',
      ...(log !== undefined && { [ATTR.reviewLog]: log }),
    },
  })
  return { ...row, events: events.map(eventOf) }
}

const read = (rows: readonly StoredSpan[], format: DialectName) => JSON.parse(decodeRecord(rows, { format })!.text)
const reviewsOf = (...rows: StoredSpan[]): unknown => read(rows, 'plan-execution').planspan?.reviews

test('a plan’s reviews are its events, for a program that writes no list', () => {
  const row = plan(0, { events: [ASKED, ACCEPTED] })
  expect(reviewsOf(row)).toEqual([ASKED, ACCEPTED])
  expect(read([row], 'review-log').review_log).toEqual([ASKED, { ...ACCEPTED, feedback: '' }])
})

test('they are its list, which contains more than events of the same reviews', () => {
  const review = { ...ASKED, by: 'ann' }
  expect(reviewsOf(plan(0, { log: JSON.stringify([review]), events: [ASKED] }))).toEqual([review])
})

test.each(['[]', '[{"attempt":1,"act', 'none'])('they are its events if the list is %j', (log) => {
  expect(reviewsOf(plan(0, { log, events: [ASKED] }))).toEqual([ASKED])
})

test('for a resumed plan they are those of each segment in turn, from lists or events', () => {
  const first = plan(0, { events: [ASKED] })
  expect(reviewsOf(first, plan(1, { events: [ACCEPTED] }))).toEqual([ASKED, ACCEPTED])
  const listed = JSON.stringify([ACCEPTED])
  expect(reviewsOf(first, plan(1, { log: listed, events: [ACCEPTED] }))).toEqual([ASKED, ACCEPTED])
  expect(reviewsOf(plan(0, { log: JSON.stringify([ASKED]) }), plan(1, { log: listed }))).toEqual([ASKED, ACCEPTED])
})

test('a plan without reviews has none', () => {
  expect(reviewsOf(plan(0, {}))).toBeUndefined()
})
