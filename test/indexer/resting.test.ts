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
    costMs: 25,
    age: 1_249,
    interruptedAt: never,
    rests: true,
  },
  {
    name: 'an expensive trace after fifty times its cost',
    costMs: 25,
    age: 1_250,
    interruptedAt: never,
    rests: false,
  },
  { name: 'a very expensive trace within 1.5 seconds', costMs: 2_000, age: 1_499, interruptedAt: never, rests: true },
  { name: 'a very expensive trace after 1.5 seconds', costMs: 2_000, age: 1_500, interruptedAt: never, rests: false },
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
