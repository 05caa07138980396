import fc from 'fast-check'
import { expect, it } from 'vitest'

import { traceFacts, treeSpans } from '../../../src/mapping/index.js'
import { branchingLife } from '../../support/branching-plan.js'
import { planLife } from '../../support/simulated-plan.js'

const lives = fc.oneof(
  planLife.map(({ rows }) => rows),
  branchingLife,
)

it('a state with its time of interruption equals the state of the tree at any time', () => {
  fc.assert(
    fc.property(lives, fc.nat(), fc.integer({ min: -2, max: 40_000 }), (life, moment, later) => {
      const rows = life.slice(0, 1 + (moment % life.length))
      const last = rows.reduce((end, row) => (row.endTimeUnixNano > end ? row.endTimeUnixNano : end), 0n)
      const facts = traceFacts(rows, () => undefined)
      const limits = [...facts.interruptions.values()]
      const now = limits.length > 0 && later < 3 ? (limits[0] ?? 0n) + BigInt(later) : last + BigInt(later) * 1_000_000n

      const states = new Map(treeSpans(rows, { now }).map(({ spanId, state }) => [spanId, state]))
      const shown = treeSpans(rows)
      const times = new Map([...facts.interruptions].map(([{ span }, time]) => [span.spanId, time]))
      for (const { spanId, state } of shown) {
        const time = times.get(spanId)
        expect([spanId, time !== undefined && time <= now ? 'interrupted' : state]).toEqual([
          spanId,
          states.get(spanId),
        ])
      }
    }),
    { numRuns: 500 },
  )
})
