import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, DIALECT_NAMES, foldSpans } from '../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'
import { at } from '../support/live-rows.js'
import { HEARTBEAT_SECONDS, planLife, type ExpectedRecord } from '../support/simulated-plan.js'

const RUNS = 150

interface Shown {
  planspan: { waits?: { title: string }[] } | null
}
interface ShownRecord extends Shown {
  completed: boolean
  userInputWaitState: { title: string } | null
  agentExecutionSequence: (Shown & {
    stepId: string
    status: string
    thinkActSteps: (Shown & { actToolInfoList: { result: string | null }[] | null })[]
  })[]
}

/** The facts that the oracle compares with a record. */
function summarize(rows: readonly StoredSpan[]): ExpectedRecord {
  const record: ShownRecord = JSON.parse(decodeRecord(rows)!.text)
  const agents = record.agentExecutionSequence
  const waits = [record, ...agents, ...agents.flatMap(({ thinkActSteps }) => thinkActSteps)].flatMap(({ planspan }) =>
    (planspan?.waits ?? []).map(({ title }) => title),
  )
  return {
    completed: record.completed,
    waitsFor: record.userInputWaitState?.title,
    waits: waits.sort(),
    agents: agents.map(({ stepId, status, thinkActSteps }) => ({
      stepId,
      status,
      cycles: thinkActSteps.map(({ actToolInfoList }) => actToolInfoList?.at(-1)?.result),
    })),
  }
}

const texts = (rows: readonly StoredSpan[]) => DIALECT_NAMES.map((format) => decodeRecord(rows, { format })?.text)

describe('at any moment of a plan’s life', () => {
  test('the state is correct', () => {
    fc.assert(
      fc.property(planLife, fc.integer({ min: 0, max: 3 * HEARTBEAT_SECONDS }), ({ rows, moments }, later) => {
        for (const { sent, time, stateAt } of moments) {
          const now = time + later
          expect(decodeRecord(rows.slice(0, sent), { now: at(now) })?.state).toBe(stateAt(now))
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('the record contains what has happened, and nothing is missing from it', () => {
    fc.assert(
      fc.property(planLife, ({ rows, moments }) => {
        for (const { sent, record } of moments) {
          const known = rows.slice(0, sent)
          expect(summarize(known)).toEqual(record)
          expect(decodeRecord(known)).toMatchObject({ missing: [], verdict: 'complete' })
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('every dialect has a record, which does not change with time alone', () => {
    // A planner run has a word for an interrupted step.
    const formats = DIALECT_NAMES.filter((name) => name !== 'review-log')
    const textsAt = (rows: readonly StoredSpan[], now: bigint) =>
      formats.map((format) => decodeRecord(rows, { format, now })?.text)
    fc.assert(
      fc.property(planLife, fc.nat(), ({ rows }, length) => {
        const known = rows.slice(0, 1 + (length % rows.length))
        expect(textsAt(known, at(1e9))).toEqual(textsAt(known, at(0)))
      }),
      { numRuns: RUNS / 3 },
    )
  })
})

describe('no record depends', () => {
  const lifeAndOrder = planLife.chain(({ rows }) =>
    fc.record({
      rows: fc.constant(rows),
      all: fc.shuffledSubarray([...rows], { minLength: rows.length }),
      again: fc.shuffledSubarray([...rows]),
    }),
  )

  test('on the order in which rows arrive, or on duplicates', () => {
    fc.assert(
      fc.property(lifeAndOrder, ({ rows, all, again }) => {
        expect(texts([...all, ...again])).toEqual(texts(rows))
      }),
      { numRuns: RUNS / 3 },
    )
  })

  test('on snapshots of a span that has a later snapshot or has ended', () => {
    fc.assert(
      fc.property(planLife, ({ rows }) => {
        const kept = new Set(foldSpans(rows).map(({ name, endTimeUnixNano }) => `${name} ${String(endTimeUnixNano)}`))
        const latest = rows.filter(({ name, endTimeUnixNano }) => kept.has(`${name} ${String(endTimeUnixNano)}`))
        expect(texts(latest)).toEqual(texts(rows))
      }),
      { numRuns: RUNS / 3 },
    )
  })
})

test('any part of a life, in any order, is read without an error', () => {
  fc.assert(
    fc.property(
      planLife.chain(({ rows }) => fc.shuffledSubarray([...rows])),
      fc.nat(1000),
      (rows, now) => {
        for (const format of DIALECT_NAMES) {
          const decoded = decodeRecord(rows, { format, now: at(now) })
          expect(decoded === undefined).toBe(rows.every(({ attributes }) => !attributes[ATTR.planId]))
        }
      },
    ),
    { numRuns: RUNS / 3 },
  )
})
