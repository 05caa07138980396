import { expect, test } from 'vitest'

import { faultsOf } from '../../src/mapping/index.js'
import { planTotals } from '../../src/mapping/compare/index.js'
import { buildForest } from '../../src/mapping/tree/forest.js'
import { foldSpans } from '../../src/mapping/tree/fold.js'
import { ATTR, isUnsafe } from '../../src/semconv/index.js'
import { PlanLife } from '../support/plan-life.js'

test.each<[boolean, Readonly<Record<string, string>>]>([
  [true, { [ATTR.riskIsSafe]: 'false' }],
  [true, { [ATTR.riskViolatedPolicyIds]: '["P1"]' }],
  [true, { [ATTR.riskIsSafe]: 'maybe', [ATTR.riskViolatedPolicyIds]: '["P1"]' }],
  [false, { [ATTR.riskIsSafe]: 'true', [ATTR.riskViolatedPolicyIds]: '["P1"]' }],
  [false, { [ATTR.riskViolatedPolicyIds]: '["P1"]', [ATTR.riskRepeated]: 'true' }],
  [false, { [ATTR.riskViolatedPolicyIds]: '[]' }],
  [false, { [ATTR.riskScore]: '0.9' }],
  [false, {}],
])('an action is unsafe: %j for %j', (unsafe, attributes) => {
  expect(isUnsafe(attributes)).toBe(unsafe)
})

test('an action that violates a policy and was taken is a fault, even without a score and a verdict', () => {
  const life = new PlanLife({ traceId: 'a'.repeat(32), planId: 'plan-1' })
  life.start('plan', 'plan')
  life.start('agent', 'agent', 'plan')
  life.start('cycle', 'think_act', 'agent')
  life.start('guardrail', 'guardrail', 'cycle', { [ATTR.riskViolatedPolicyIds]: ['P1'] })
  life.end('guardrail')
  life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'pay' })
  for (const name of ['tool', 'cycle', 'agent', 'plan']) life.end(name)
  expect(faultsOf(life.stored).actions.map(({ taken }) => taken)).toEqual([true])
  const [plan] = buildForest(foldSpans(life.stored))
  expect(planTotals(plan!)).toMatchObject({ judged: 1, unsafe: 1, unsafeTaken: 1, risk: null })
})
