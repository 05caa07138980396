import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { DIALECT_NAMES, decodeEvents, decodeRecord, explainTrace, treeSpans } from '../../src/mapping/index.js'
import { ATTR, type Role, type StoredSpan } from '../../src/semconv/index.js'
import { spanOf } from '../support/any-tree.js'

const NOW = 2n ** 60n

/** Everything that is derived from a trace's rows. */
function readAll(rows: readonly StoredSpan[], planId: string) {
  const record = decodeRecord(rows, { planId, now: NOW })
  for (const format of DIALECT_NAMES) expect(decodeRecord(rows, { planId, format, now: NOW })).toBeDefined()
  expect(decodeRecord(rows, { planId, form: 'lynxe-details', now: NOW })).toBeDefined()
  expect(decodeEvents(rows, { planId, now: NOW })?.frames.length).toBeGreaterThan(0)
  return { record, spans: treeSpans(rows, { now: NOW }), readings: explainTrace(rows) }
}

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

const below = (role: Role | undefined, count: number): StoredSpan[] => [
  spanOf({ index: 0, parent: -1, role: 'plan', planId: 'p-0' }),
  ...Array.from({ length: count }, (_, at) => spanOf({ index: at + 1, parent: 0, role, planId: 'p-0' })),
]

describe('the record is complete', () => {
  it('with 130,000 spans below one span', { timeout: 120_000 }, () => {
    const rows = below(undefined, 130_000)
    expect(decodeRecord(rows, { planId: 'p-0', now: NOW })).toMatchObject({ verdict: 'complete' })
    expect(treeSpans(rows)).toHaveLength(130_001)
  })

  it('with 130,000 agents', { timeout: 120_000 }, () => {
    const text = decodeRecord(below('agent', 130_000), { planId: 'p-0', now: NOW })?.text ?? ''
    expect((JSON.parse(text) as { agentExecutionSequence: unknown[] }).agentExecutionSequence).toHaveLength(130_000)
  })

  it('with 1,500 nested plans', { timeout: 120_000 }, () => {
    const { record, spans } = readAll(nestedPlans(1_500), 'p-0')
    expect(record).toMatchObject({ verdict: 'complete' })
    expect(new Set(planIdsIn(record?.text ?? ''))).toHaveLength(1_500)
    expect(spans).toHaveLength(6_000)
  })

  it('with 50,000 nested spans', { timeout: 120_000 }, () => {
    const rows = Array.from({ length: 50_000 }, (_, index) =>
      spanOf({ index, parent: index - 1, role: index === 0 ? 'plan' : undefined, planId: 'p-0' }),
    )
    expect(decodeRecord(rows, { planId: 'p-0', now: NOW })).toMatchObject({ verdict: 'complete' })
    expect(treeSpans(rows)).toHaveLength(50_000)
  })

  it('with an attribute whose JSON is nested 100,000 levels deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const rows = [
      ...below('agent', 1),
      ...(['guardrail', 'llm', 'tool', undefined] as const).map((role, at) =>
        spanOf({ index: at + 2, parent: 1, role, planId: 'p-0', attributes: DEEP(deep) }),
      ),
    ]
    expect(readAll(rows, 'p-0').record?.text).toContain(deep.slice(0, 2_000))
  })
})

/** Each attribute that contains JSON, and the keys of other instrumentations. */
const DEEP = (deep: string): Record<string, string> =>
  Object.fromEntries(
    [
      ...Object.values(ATTR).filter((key) => !(key in IDENTITY)),
      'gen_ai.prompt',
      'llm.input_messages',
      'input.value',
      'traceloop.entity.input',
      'ai.prompt.messages',
    ].map((key) => [key, deep]),
  )

const IDENTITY: Readonly<Record<string, true>> = {
  [ATTR.spanKind]: true,
  [ATTR.planId]: true,
  [ATTR.planRootId]: true,
  [ATTR.spanState]: true,
  [ATTR.recordDialect]: true,
}

const roles: readonly (Role | undefined)[] = [
  'plan',
  'agent',
  'think_act',
  'tool',
  'llm',
  'guardrail',
  'wait',
  undefined,
]
const anyTree = fc
  .array(fc.record({ above: fc.nat(), role: fc.constantFrom(...roles), start: fc.bigInt(0n, 2n ** 63n - 1n) }), {
    maxLength: 60,
  })
  .map((nodes) => [
    spanOf({ index: 0, parent: -1, role: 'plan', planId: 'p-0' }),
    ...nodes.map(({ above, role, start }, at) =>
      spanOf({
        index: at + 1,
        parent: above % (at + 1),
        role,
        planId: role === 'plan' ? `p-${at + 1}` : 'p-0',
        rootPlanId: 'p-0',
        start,
      }),
    ),
  ])

test('any tree with any times: each span is read once', () => {
  fc.assert(
    fc.property(anyTree, (rows) => {
      const { record, spans } = readAll(rows, 'p-0')
      expect(record).toBeDefined()
      expect(spans.map(({ spanId }) => spanId).toSorted()).toEqual(rows.map(({ spanId }) => spanId).toSorted())
    }),
    { numRuns: 100 },
  )
})
