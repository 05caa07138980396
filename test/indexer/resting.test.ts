import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { KnownTrace } from '../../src/indexer/known-trace.js'
import { isResting } from '../../src/indexer/resting.js'

const NOW = Date.parse('2026-03-04T12:00:00Z')
const CHEAP_MS = 20

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => void vi.useRealTimers())

const never = Number.POSITIVE_INFINITY

test.for([
  { name: 'a cheap trace', costMs: 20, age: 1, interruptedAt: never, rests: false },
  {
    name: 'an expensive trace within fifty times its cost',
    costMs: 100,
    age: 4_999,
    interruptedAt: never,
    rests: true,
  },
  {
    name: 'an expensive trace after fifty times its cost',
    costMs: 100,
    age: 5_000,
    interruptedAt: never,
    rests: false,
  },
  { name: 'a very expensive trace within ten seconds', costMs: 2_000, age: 9_999, interruptedAt: never, rests: true },
  { name: 'a very expensive trace after ten seconds', costMs: 2_000, age: 10_000, interruptedAt: never, rests: false },
  { name: 'a trace whose plan becomes interrupted', costMs: 100, age: 1_000, interruptedAt: NOW - 1, rests: false },
  {
    name: 'a trace whose plan was interrupted before',
    costMs: 100,
    age: 1_000,
    interruptedAt: NOW - 1_001,
    rests: true,
  },
])('$name rests: $rests', ({ costMs, age, interruptedAt, rests }) => {
  const trace = new KnownTrace('a'.repeat(32), 10)
  Object.assign(trace, { costMs, indexedAt: NOW - age, interruptedAt })
  expect(isResting(trace, CHEAP_MS)).toBe(rests)
})
