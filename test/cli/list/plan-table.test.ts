import { describe, expect, test } from 'vitest'

import { planTable } from '../../../src/cli/list/plan-table.js'
import type { PlanJson } from '../../../src/wire/index.js'

const plan = (parts: Partial<PlanJson>): PlanJson =>
  ({
    planId: 'plan-1',
    rootPlanId: 'plan-1',
    traceId: 'a'.repeat(32),
    live: false,
    dialect: 'plan-execution',
    source: 'lynxe',
    state: 'completed',
    startTime: '2026-03-04T12:00:00.000Z',
    endTime: '2026-03-04T12:00:08.100Z',
    durationMs: 8100,
    spans: 15,
    errors: 0,
    title: 'A day in Rome, with museums, a walk and dinner',
    name: null,
    request: null,
    headline: [],
    ...parts,
  }) as PlanJson

const plans = [plan({}), plan({ planId: '8'.repeat(64), state: 'waiting' })]
const short = [plan({}), plan({ planId: 'plan-2', state: 'waiting' })]

describe('the plans on a terminal', () => {
  test('are a line each below a heading if there is enough room, without empty columns', () => {
    expect(planTable(short, { width: 110, withTraces: false })).toEqual([
      'PLAN    STATE      DIALECT         SOURCE  START                DURATION  SPANS  TITLE',
      'plan-1  completed  plan-execution  lynxe   2026-03-04 12:00:00  8.1 s     15     A day in Rome, with museums,…',
      'plan-2  waiting    plan-execution  lynxe   2026-03-04 12:00:00  8.1 s     15     A day in Rome, with museums,…',
    ])
  })

  test.each([
    [
      80,
      [
        'plan-1',
        '  completed  plan-execution  2026-03-04 12:00:00  8.1 s  A day in Rome, with mu…',
        '8888888888888888888888888888888888888888888888888888888888888888',
        '  waiting    plan-execution  2026-03-04 12:00:00  8.1 s  A day in Rome, with mu…',
      ],
    ],
    [
      40,
      [
        'plan-1',
        '  completed  A day in Rome, with museum…',
        '8888888888888888888888888888888888888888888888888888888888888888',
        '  waiting    A day in Rome, with museum…',
      ],
    ],
  ])('have their full id on its own line in %i columns, and below it the columns that fit', (width, lines) => {
    expect(planTable(plans, { width, withTraces: false })).toEqual(lines)
  })

  test('have the full ids of their traces beside their own', () => {
    const [line, below] = planTable(plans, { width: 80, withTraces: true })
    expect(line).toBe(`plan-1  ${'a'.repeat(32)}`)
    expect(below).toMatch(/^ {2}completed/)
  })

  test('have their headline below, with the time for which it has lasted', () => {
    const since = new Date(Date.now() - 65_000).toISOString()
    const waits = { kind: 'wait', text: 'asks for approval of payments.refund', spanId: 'b'.repeat(16), since } as const
    const [, , below] = planTable([plan({ state: 'waiting', headline: [waits] })], { width: 110, withTraces: false })
    expect(below).toMatch(/^ {2}asks for approval of payments\.refund for 1 min 5/)
  })
})
