import { expect, it } from 'vitest'

import { factOf } from '../../../src/mapping/adopt/values/fact-place.js'
import { NAME_OF_AGENT, TOOL_NAME } from '../../../src/mapping/adopt/values/fact-places.js'
import { foreignSpan } from '../../support/foreign-span.js'

it.each(['', '<not specified>'])('a text that stands for a missing value is skipped: %j', (text) => {
  expect(factOf(foreignSpan([1], 'x', { id: text, 'other.id': 'call_1' }), ['id', 'other.id'])).toBe('call_1')
})

it.each([
  ['search.tool', TOOL_NAME, 'search'],
  ['search.__call__', TOOL_NAME, 'search'],
  ['execute_tool search', TOOL_NAME, 'search'],
  ['invoke_agent researcher', NAME_OF_AGENT, 'researcher'],
  ['ReAct.aforward', NAME_OF_AGENT, 'ReAct'],
  ['researcher run', NAME_OF_AGENT, 'researcher'],
])('the name in %s', (name, places, found) => {
  expect(factOf(foreignSpan([1], name), places)).toBe(found)
})
