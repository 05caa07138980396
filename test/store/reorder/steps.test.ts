import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { toSteps, type Minute } from '../../../src/store/reorder/steps.js'

const start = (where: string) => /Timestamp >= fromUnixTimestamp64Nano\((-?\d+)\)/.exec(where)?.[1]
const end = (where: string) => /Timestamp < fromUnixTimestamp64Nano\((-?\d+)\)/.exec(where)?.[1]

const minutes = fc
  .uniqueArray(
    fc.record({ minute: fc.integer({ min: -5000, max: 30_000_000 }), rows: fc.integer({ min: 1, max: 50 }) }),
    {
      selector: ({ minute }) => minute,
    },
  )
  .map((all): Minute[] => all.sort((a, b) => b.minute - a.minute))

describe('the steps of a copy', () => {
  it('are none of a table without spans', () => {
    expect(toSteps([], 10)).toEqual([])
  })

  it('of few spans is one, of all times', () => {
    expect(toSteps([{ minute: 3, rows: 4 }], 10)).toEqual([{ where: 'true', rows: 4 }])
  })

  it('join minutes up to so many rows, and end with the day', () => {
    const steps = toSteps(
      [
        { minute: 1441, rows: 4 },
        { minute: 1440, rows: 6 },
        { minute: 1439, rows: 4 },
        { minute: 1438, rows: 7 },
        { minute: 3, rows: 1 },
      ],
      10,
    )
    expect(steps.map(({ rows }) => rows)).toEqual([10, 4, 8])
    expect(steps[1]?.where).toBe(
      'Timestamp >= fromUnixTimestamp64Nano(86340000000000) AND Timestamp < fromUnixTimestamp64Nano(86400000000000)',
    )
  })

  it('leave nothing out between them, before them and after them', () => {
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 100 }), (all, stepRows) => {
        const steps = toSteps(all, stepRows)
        expect(steps.reduce((sum, { rows }) => sum + rows, 0)).toBe(all.reduce((sum, { rows }) => sum + rows, 0))
        for (const [at, { where }] of steps.entries()) {
          expect(end(where)).toBe(steps[at - 1] && start(steps[at - 1]?.where ?? ''))
          expect(start(where) === undefined).toBe(at === steps.length - 1)
        }
      }),
    )
  })
})
