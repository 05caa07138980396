import { describe, expect, test } from 'vitest'

import { lengthAt } from '../../../viewer/src/model/row.js'

describe('the duration of a span', () => {
  test.each([
    ['a running span of a running plan', { pending: true, state: 'running' }, 160, 60],
    ['a wait of a suspended plan', { pending: false, state: 'waiting' }, 160, 60],
    ['an ended span', { pending: false, state: 'completed' }, 160, 5],
    ['an open span of an ended plan', { pending: true, state: 'running' }, undefined, 5],
    ['a wait of an ended plan', { pending: false, state: 'waiting' }, undefined, 5],
    ['an interrupted span', { pending: true, state: 'interrupted' }, 160, 5],
    ['a span of another instrumentation', { pending: true, state: null }, 160, 5],
    ['a span whose clock is ahead', { pending: true, state: 'running' }, 90, 5],
  ] as const)('is computed for %s', (_, span, at, expected) => {
    expect(lengthAt({ ...span, start: 100, duration: 5 }, at)).toBe(expected)
  })
})
