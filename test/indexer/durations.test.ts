import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spanRow } from '../../src/indexer/rows/span-row.js'
import { stepRows } from '../../src/indexer/rows/step-rows.js'
import { decodeRecord, traceFacts } from '../../src/mapping/index.js'
import { ATTR } from '../../src/semconv/index.js'
import { finalRow, type LiveRow, snapshotRow } from '../support/live-rows.js'

const OVER = ['completed', 'failed', 'waiting', 'interrupted'] as const

/** A segment in which an agent works on one of two steps: how it ended, or that it was killed. */
const segment = fc.record({
  step: fc.nat(1),
  length: fc.integer({ min: 1, max: 800 }),
  end: fc.constantFrom(...OVER, 'killed' as const),
})

test('an agent and its step lasted as long in the rows as in the record, over all segments', () => {
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      const rows = segments.flatMap(({ step, length, end }, at) => {
        const start = at * 1_000
        const state = end === 'killed' ? {} : { [ATTR.state]: end }
        const plan: LiveRow = {
          id: `plan-${at}`,
          role: 'plan',
          start,
          end: start + 900,
          ...(at > 0 && { parent: `plan-${at - 1}` }),
          attributes: { ...state, [ATTR.planSegment]: String(at) },
        }
        const agent: LiveRow = {
          id: `agent-${at}`,
          role: 'agent',
          parent: `plan-${at}`,
          start: start + 10,
          end: start + 10 + length,
          attributes: { ...state, [ATTR.stepId]: `step-${step}`, [ATTR.stepIndex]: String(step) },
        }
        return [plan, agent].map((row) => (end === 'killed' ? snapshotRow(row, 0) : finalRow(row)))
      })
      const facts = traceFacts(rows, () => undefined)
      const inRows = facts.spans
        .filter(({ node }) => node.role === 'agent')
        .map((placed) => spanRow(placed, { interruptedAt: undefined, isReplacement: false, attributes: {} }))
        .map(({ Ended, Duration }) => (Ended ? Number(Duration) / 1e6 : null))
      const { agentExecutionSequence } = JSON.parse(decodeRecord(rows)!.text) as { agentExecutionSequence: Agent[] }
      const inRecord = agentExecutionSequence.map(({ startTime, endTime }) =>
        endTime === null ? null : Date.parse(endTime) - Date.parse(startTime),
      )
      const inOrder = (durations: readonly (number | null)[]) => durations.toSorted((a, b) => (a ?? -1) - (b ?? -1))
      expect(inOrder(inRows)).toEqual(inOrder(inRecord))
      expect(inOrder(stepRows(facts.plans[0]!, facts).map(({ DurationMs }) => DurationMs as number | null))).toEqual(
        inOrder(inRecord),
      )
    }),
  )
})

interface Agent {
  readonly startTime: string
  readonly endTime: string | null
}
