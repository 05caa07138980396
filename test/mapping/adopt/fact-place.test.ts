import { expect, it } from 'vitest'

import { factOf } from '../../../src/mapping/adopt/values/fact-place.js'
import { foreignSpan } from '../../support/foreign-span.js'

it.each(['', '<not specified>'])('a text that stands for a missing value is skipped: %j', (text) => {
  expect(factOf(foreignSpan([1], 'x', { id: text, 'other.id': 'call_1' }), ['id', 'other.id'])).toBe('call_1')
})
