import { expect, test } from 'vitest'

import { findPlans } from '../../src/mcp/tools/find-plans.js'
import { countPlans } from '../../src/mcp/tools/count-plans.js'
import { durationParameter, FACETS_QUERY, LIST_QUERY } from '../../src/wire/index.js'
import { PLAN_ORDERS, PLAN_SORTS } from '../../src/store/index.js'

test('the tools accept exactly the filters of the HTTP interface', () => {
  expect(Object.keys(findPlans.input.shape).toSorted()).toEqual(Object.keys(LIST_QUERY.shape).toSorted())
  expect(Object.keys(countPlans.input.shape).toSorted()).toEqual(Object.keys(FACETS_QUERY.shape).toSorted())
})

test.each([
  ['sort', PLAN_SORTS],
  ['order', PLAN_ORDERS],
] as const)('%s is one of the interface’s', (name, words) => {
  for (const word of words) expect(findPlans.input.parse({ [name]: word })).toMatchObject({ [name]: word })
  expect(findPlans.input.safeParse({ [name]: 'odd' }).success).toBe(false)
})

test.each(['500ms', '1.5h', '90s', '7d', '2', 'h', '2 h'])(
  'a duration has the format of the HTTP interface: %s',
  (text) => {
    expect(findPlans.input.safeParse({ minWait: text }).success).toBe(durationParameter.safeParse(text).success)
  },
)
