import { expect, test } from 'vitest'

import { elapsedMs, type PlanJson } from '../../src/wire/index.js'

const BEGIN = Date.UTC(2026, 2, 4)
const plan = { startTime: new Date(BEGIN).toISOString(), durationMs: 500 }

test.each<[PlanJson['state'], boolean, number]>([
  ['waiting', true, 60_000],
  ['running', true, 60_000],
  ['completed', true, 500],
  ['interrupted', true, 500],
  ['running', false, 500],
])('the duration of a plan that is %s, live: %s, is %i ms after a minute', (state, live, expected) => {
  expect(elapsedMs({ ...plan, state, live }, BEGIN + 60_000)).toBe(expected)
})
