import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buildForest,
  decodeRecord,
  encodeRecords,
  foldSpans,
  planCourses,
  toStoredSpan,
} from '../../../src/mapping/index.js'
import { ATTR, EVENTS } from '../../../src/semconv/index.js'
import { finalRow, type LiveRow, snapshotRow } from '../../support/live-rows.js'

/** What one segment of a plan records. */
interface Segment {
  readonly tokens: number
  readonly dropped: number
  /** How many reviews, versions and cycles it has. */
  readonly reviews: number
  readonly versions: number
  readonly cycles: number
  readonly isKilled: boolean
}

interface Counting {
  /** Whether each segment counts from the start again, as after a token that was made at the start. */
  readonly restarts: boolean
}

/** The rows of a plan with these segments. */
function rowsOf(segments: readonly Segment[], { restarts }: Counting) {
  const counted = { review: 0, version: 0, cycle: 0 }
  return segments.flatMap(({ tokens, dropped, reviews, versions, cycles, isKilled }, at) => {
    if (restarts) Object.assign(counted, { review: 0, version: 0, cycle: 0 })
    const start = at * 1_000
    const log = Array.from({ length: reviews }, () => ({ attempt: ++counted.review, action: 'REQUEST_CHANGES' }))
    const waits = log.map(({ attempt }, of): LiveRow => ({
      id: `wait-${at}-${of}`,
      role: 'wait',
      parent: `plan-${at}`,
      start: start + of,
      attributes: { [ATTR.waitId]: `w-${at}-${of}`, [ATTR.reviewAttempt]: String(attempt) },
    }))
    const plannings = Array.from({ length: versions }, (_, of): LiveRow => ({
      id: `planning-${at}-${of}`,
      role: 'planning',
      parent: `plan-${at}`,
      start: start + 20 + of,
      attributes: { [ATTR.planRevision]: String(++counted.version), [ATTR.planSteps]: `["step ${at}-${of}"]` },
    }))
    const worked = Array.from({ length: cycles }, (_, of): LiveRow => ({
      id: `cycle-${at}-${of}`,
      role: 'think_act',
      parent: `agent-${at}`,
      start: start + 50 + of,
      attributes: { [ATTR.stepIndex]: String(counted.cycle++) },
    }))
    const plan: LiveRow = {
      id: `plan-${at}`,
      role: 'plan',
      start,
      end: start + 900,
      ...(at > 0 && { parent: `plan-${at - 1}` }),
      attributes: {
        [ATTR.planSegment]: String(at),
        [ATTR.usageRollupTotalTokens]: String(tokens),
        [ATTR.dropped]: String(dropped),
        ...(reviews > 0 && { [ATTR.reviewLog]: JSON.stringify(log) }),
      },
      events: log.map(({ attempt, action }) => ({
        name: EVENTS.review,
        time: start + attempt,
        attributes: { [ATTR.reviewAttempt]: String(attempt), [ATTR.reviewAction]: action },
      })),
    }
    const agent: LiveRow = {
      id: `agent-${at}`,
      role: 'agent',
      parent: `plan-${at}`,
      start: start + 40,
      end: start + 800,
      attributes: { [ATTR.stepId]: 's', [ATTR.stepIndex]: '0' },
    }
    const open = [plan, agent].map((row) => (isKilled ? snapshotRow(row, 0) : finalRow(row)))
    return [...open, ...[...waits, ...plannings, ...worked].map(finalRow)]
  })
}

const segment = fc.record({
  tokens: fc.nat(20_000),
  dropped: fc.nat(3),
  reviews: fc.nat(3),
  versions: fc.nat(3),
  cycles: fc.nat(3),
  isKilled: fc.boolean(),
})

const sum = (segments: readonly Segment[], of: Exclude<keyof Segment, 'isKilled'>): number =>
  segments.reduce((total, each) => total + each[of], 0)

const upTo = (count: number, from: number): number[] => Array.from({ length: count }, (_, at) => from + at)

describe('the segments of a resumed plan', () => {
  test('add their totals, and continue their numbers, wherever each of them begins to count', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean(), (segments, restarts) => {
        const rows = rowsOf(segments, { restarts })
        const [plan] = buildForest(foldSpans(rows))
        const [course] = planCourses(rows)
        const { attributes, events } = plan!.span
        expect(attributes[ATTR.usageRollupTotalTokens]).toBe(String(sum(segments, 'tokens')))
        expect(attributes[ATTR.dropped]).toBe(String(sum(segments, 'dropped')))
        const reviews = upTo(sum(segments, 'reviews'), 1)
        expect(course!.reviews.map(({ attempt }) => attempt)).toEqual(reviews)
        expect(course!.reviews.map(({ wait }) => wait?.span.attributes[ATTR.reviewAttempt])).toEqual(
          reviews.map(String),
        )
        expect(events.map((event) => Number(event.attributes[ATTR.reviewAttempt]))).toEqual(reviews)
        expect(course!.versions.map(({ revision }) => revision)).toEqual(upTo(sum(segments, 'versions'), 1))
        const cycles = JSON.parse(decodeRecord(rows, { format: 'trajectory' })!.text).steps
        if (sum(segments, 'cycles') > 0) {
          expect(cycles.map((step: { step_idx: number }) => step.step_idx)).toEqual(upTo(sum(segments, 'cycles'), 0))
        }
      }),
    )
  })

  test('are complete in a converted record, which has one span for each plan', () => {
    const rows = rowsOf([PLAIN, PLAIN, PLAIN], { restarts: false })
    const { text } = decodeRecord(rows, { format: 'atif' })!
    const [imported] = [...encodeRecords(new TextEncoder().encode(text))]
    expect(decodeRecord(imported!.spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete', missing: [] })
  })
})

const PLAIN: Segment = { tokens: 10, dropped: 0, reviews: 1, versions: 1, cycles: 1, isKilled: false }
