import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRecord, DIALECT_NAMES } from '../../../src/mapping/index.js'
import { ATTR, PENDING, ROLES, type StoredSpan } from '../../../src/semconv/index.js'
import { at, finalRow, spanIdOf } from '../../support/live-rows.js'

const NAMES = [...'abcdefghijklmnop']
const name = fc.constantFrom(...NAMES)
const odd = fc.constantFrom('', '0', '1', '2', '-1', '4294967296', '1e9', 'NaN', 'x')
const planId = fc.constantFrom('p', 'q', '')

/** A row with arbitrary parents, plans, segments, steps and waits. */
const row = fc
  .record({
    id: name,
    parent: fc.oneof(name, fc.constant('')),
    role: fc.constantFrom(...ROLES),
    planId,
    rootId: planId,
    start: fc.integer({ min: 0, max: 20 }),
    end: fc.integer({ min: 0, max: 20 }),
    own: fc.dictionary(
      fc.constantFrom(
        ATTR.planSegment,
        ATTR.snapshotSeq,
        ATTR.seq,
        ATTR.heartbeatIntervalMs,
        ATTR.stepIndex,
        ATTR.agentCurrentStep,
        `${ATTR.childrenPrefix}plan`,
        `${ATTR.childrenPrefix}agent`,
      ),
      odd,
    ),
    ids: fc.dictionary(
      fc.constantFrom(ATTR.stepId, ATTR.waitId, ATTR.planParentId, ATTR.pendingSpanId, ATTR.pendingParentSpanId),
      fc.oneof(name.map(spanIdOf), planId),
    ),
    words: fc.dictionary(
      fc.constantFrom(ATTR.state, ATTR.spanState, ATTR.reviewLog, ATTR.planSteps),
      fc.constantFrom(PENDING, 'waiting', 'running', 'completed', '[]', '[1]', '["a","b"]', '{'),
    ),
  })
  .map(({ own, ids, words, ...span }): StoredSpan => finalRow({ ...span, attributes: { ...own, ...ids, ...words } }))

test('contradictory spans are read, each time with the same result', () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(row, { maxLength: 16, selector: ({ spanId }) => spanId })
        .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      ([rows, shuffled]) => {
        for (const planId of ['p', 'q']) {
          for (const format of DIALECT_NAMES) {
            const options = { planId, format, now: at(15) }
            const decoded = decodeRecord(rows, options)
            expect(decodeRecord(shuffled, options)?.state).toBe(decoded?.state)
          }
        }
      },
    ),
    { numRuns: 400 },
  )
})

test.each([
  ['segments, each below the one before', (index: number) => ({ parent: `s${index - 1}`, segment: index })],
  ['segments of one number', (index: number) => ({ parent: `s${index - 1}`, segment: 1 })],
  ['segments that begin at once', (index: number) => ({ parent: '', segment: index })],
  ['runs of one plan within each other', (index: number) => ({ parent: `s${index - 1}`, segment: 0 })],
])('a plan of 2,000 %s is read in seconds', (_what, place) => {
  const rows = Array.from({ length: 2000 }, (_, index) => {
    const { parent, segment } = place(index)
    return finalRow({
      id: `s${index}`,
      role: 'plan',
      parent: index === 0 ? '' : parent,
      start: index,
      attributes: { [ATTR.planSegment]: String(segment) },
    })
  })
  expect(decodeRecord(rows)?.state).toBe('completed')
})

test.each([
  ['an agent of 4,000 cycles', (index: number) => ({ role: 'think_act' as const, parent: 'agent', id: `c${index}` })],
  ['an agent of 4,000 tool calls', (index: number) => ({ role: 'tool' as const, parent: 'agent', id: `t${index}` })],
  ['a plan of 4,000 agents', (index: number) => ({ role: 'agent' as const, parent: 'plan', id: `a${index}` })],
])('%s becomes a trajectory in seconds', (_what, place) => {
  const rows = [
    finalRow({ id: 'plan', role: 'plan' }),
    finalRow({ id: 'agent', role: 'agent', parent: 'plan' }),
    ...Array.from({ length: 4000 }, (_, index) => finalRow({ ...place(index), start: index })),
  ]
  for (const format of ['trajectory', 'trajectory:traj'] as const) {
    expect(decodeRecord(rows, { format })?.state).toBe('completed')
  }
})
