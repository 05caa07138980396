import fc from 'fast-check'
import { expect, test } from 'vitest'

import { DIALECT_NAMES, decodeEvents, decodeRecord, explainTrace, treeSpans } from '../../src/mapping/index.js'
import { ATTR, type Role, type StoredSpan } from '../../src/semconv/index.js'
import { spanOf, spansBelow } from '../support/any-tree.js'

const NOW = 2n ** 60n

/** Everything that is derived from a trace's rows. */
function readAll(rows: readonly StoredSpan[], planId: string) {
  const record = decodeRecord(rows, { planId, now: NOW })
  for (const format of DIALECT_NAMES) expect(decodeRecord(rows, { planId, format, now: NOW })).toBeDefined()
  expect(decodeRecord(rows, { planId, form: 'lynxe-details', now: NOW })).toBeDefined()
  expect(decodeEvents(rows, { planId, now: NOW })?.frames.length).toBeGreaterThan(0)
  return { record, spans: treeSpans(rows, { now: NOW }), readings: explainTrace(rows) }
}

test('the record is complete with an attribute whose JSON is nested 100,000 levels deep', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const rows = [
    ...spansBelow('agent', 1),
    ...(['guardrail', 'llm', 'tool', undefined] as const).map((role, at) =>
      spanOf({ index: at + 2, parent: 1, role, planId: 'p-0', attributes: DEEP(deep) }),
    ),
  ]
  expect(readAll(rows, 'p-0').record?.text).toContain(deep.slice(0, 2_000))
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
