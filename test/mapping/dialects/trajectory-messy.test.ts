import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { messyTraj, messyTrajectory } from '../../support/messy-trajectories.js'
import { verdictBesidesTimes } from '../../support/verdict-besides-times.js'

describe('an unusual file of SafePred', () => {
  test.each([
    ['execution_trajectory.json', 'trajectory', messyTrajectory],
    ['traj.jsonl', 'trajectory:traj', messyTraj],
  ] as const)('%s is rebuilt byte for byte, too', (_, dialect, messy) => {
    fc.assert(
      fc.property(messy, (text) => {
        const records = [...encodeRecords(new TextEncoder().encode(text), { format: dialect })]
        const decoded = records.map(({ spans }) => decodeRecord(spans.map(toStoredSpan)))
        expect(decoded.map((record) => record?.text).join('')).toBe(text)
        expect(decoded.every((record) => verdictBesidesTimes(record) === 'complete')).toBe(true)
        for (const { spans } of records) {
          for (const { attributes, startTimeUnixNano, endTimeUnixNano } of spans) {
            expect(endTimeUnixNano >= startTimeUnixNano && startTimeUnixNano >= 0n).toBe(true)
            for (const value of Object.values(attributes)) {
              if (typeof value === 'string') expect(Buffer.from(value, 'utf8').toString('utf8')).toBe(value)
              if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
            }
          }
        }
      }),
      { numRuns: 120 },
    )
  })
})
