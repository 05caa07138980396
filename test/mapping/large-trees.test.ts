import { describe, expect, it } from 'vitest'

import { decodeRecord, treeSpans } from '../../src/mapping/index.js'
import type { StoredSpan } from '../../src/semconv/index.js'
import { spanOf, spansBelow } from '../support/any-tree.js'

const NOW = 2n ** 60n

const planIdsIn = (text: string): string[] => [...text.matchAll(/"currentPlanId":"([^"]*)"/g)].map(([, id]) => id!)

/** Nested plans, each called by a tool of a cycle of an agent of the parent plan. */
function nestedPlans(count: number): StoredSpan[] {
  const rows: StoredSpan[] = []
  for (let plan = 0; plan < count; plan++) {
    for (const [at, role] of (['plan', 'agent', 'think_act', 'tool'] as const).entries()) {
      const index = plan * 4 + at
      rows.push(spanOf({ index, parent: index - 1, role, planId: `p-${plan}`, rootPlanId: 'p-0' }))
    }
  }
  return rows
}

describe('the record is complete', () => {
  it('with 130,000 spans below one span', () => {
    const rows = spansBelow(undefined, 130_000)
    expect(decodeRecord(rows, { planId: 'p-0', now: NOW })).toMatchObject({ verdict: 'complete' })
    expect(treeSpans(rows)).toHaveLength(130_001)
  })

  it('with 130,000 agents', () => {
    const text = decodeRecord(spansBelow('agent', 130_000), { planId: 'p-0', now: NOW })?.text ?? ''
    expect((JSON.parse(text) as { agentExecutionSequence: unknown[] }).agentExecutionSequence).toHaveLength(130_000)
  })

  it('with 1,500 nested plans', () => {
    const rows = nestedPlans(1_500)
    const record = decodeRecord(rows, { planId: 'p-0', now: NOW })
    expect(record).toMatchObject({ verdict: 'complete' })
    expect(new Set(planIdsIn(record?.text ?? ''))).toHaveLength(1_500)
    expect(treeSpans(rows)).toHaveLength(6_000)
  })

  it('with 50,000 nested spans', () => {
    const rows = Array.from({ length: 50_000 }, (_, index) =>
      spanOf({ index, parent: index - 1, role: index === 0 ? 'plan' : undefined, planId: 'p-0' }),
    )
    expect(decodeRecord(rows, { planId: 'p-0', now: NOW })).toMatchObject({ verdict: 'complete' })
    expect(treeSpans(rows)).toHaveLength(50_000)
  })
})
