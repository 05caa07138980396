import { describe, expect, test } from 'vitest'

import { lengthAt } from '../../../viewer/src/model/length-at.js'

describe('how long a span took', () => {
  test.each([
    ['one that goes on, in a plan that does', { pending: true, state: 'running' }, 160, 60],
    ['a wait that its plan was suspended in', { pending: false, state: 'waiting' }, 160, 60],
    ['one that has ended', { pending: false, state: 'completed' }, 160, 5],
    ['one that was left open, in a plan that is over', { pending: true, state: 'running' }, undefined, 5],
    ['a wait of a plan that is over', { pending: false, state: 'waiting' }, undefined, 5],
    ['one that was interrupted', { pending: true, state: 'interrupted' }, 160, 5],
    ['one of another instrumentation', { pending: true, state: null }, 160, 5],
    ['one whose clock is ahead', { pending: true, state: 'running' }, 90, 5],
  ] as const)('is told of %s', (_, span, at, expected) => {
    expect(lengthAt({ ...span, start: 100, duration: 5 }, at)).toBe(expected)
  })
})
