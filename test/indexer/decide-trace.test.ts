import { expect, test } from 'vitest'

import { decideTrace } from '../../src/indexer/decide-trace.js'
import { isOutline, SpanBuffer, type TraceFacts } from '../../src/mapping/index.js'
import { ATTR, ROLES } from '../../src/semconv/index.js'

const FACTS: TraceFacts = { plans: [], spans: [], interruptions: new Map(), ends: [], isSettled: true }
const OUTLINE: TraceFacts = { ...FACTS, isSettled: false }
const trace = { planRows: new SpanBuffer(), isLarge: false, maxSpans: 200_000 }
const costOf = () => undefined
const facts = (result: TraceFacts) => () => result
const fail = (message: string) => (): TraceFacts => {
  throw new TypeError(message)
}

test('a trace is decided as a whole', () => {
  const decided = decideTrace(trace, costOf, { whole: facts(FACTS), outline: facts(OUTLINE) })
  expect(decided).toEqual({ facts: FACTS, failure: undefined })
})

test('a trace that cannot be mapped is decided by its outline, with the reason', () => {
  const decided = decideTrace(trace, costOf, { whole: fail('x is not a function'), outline: facts(OUTLINE) })
  expect(decided).toEqual({
    facts: OUTLINE,
    failure: 'TypeError: x is not a function; it is indexed by its outline.',
  })
})

test('a trace whose outline cannot be mapped has only a reason', () => {
  const decided = decideTrace(trace, costOf, { whole: fail('whole'), outline: fail('outline') })
  expect(decided).toEqual({ facts: undefined, failure: 'TypeError: outline' })
})

test('a large trace is decided by its outline only', () => {
  const large = { ...trace, isLarge: true }
  const decided = decideTrace(large, costOf, { whole: fail('not asked'), outline: facts(OUTLINE) })
  expect(decided).toEqual({
    facts: OUTLINE,
    failure: 'The trace has more than 200,000 spans; it is indexed by its outline.',
  })
})

test('the outline is what people see of a plan before they expand an agent', () => {
  const roles = ROLES.filter((role) => isOutline({ attributes: { [ATTR.spanKind]: role } } as never))
  expect(roles).toEqual(['plan', 'planning', 'wait', 'agent'])
  expect(isOutline({ attributes: {} } as never)).toBe(false)
})
