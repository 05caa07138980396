import { describe, expect, test } from 'vitest'
import type { PlanJson } from '../../../src/wire/index.js'

import { stepRuns, stepsText } from '../../../viewer/src/model/step-cells.js'

const plan = (state: PlanJson['state'], stepCount: number, stepsBegun: number, stepsCompleted: number) => ({
  state,
  stepCount,
  stepsBegun,
  stepsCompleted,
})

describe('the steps of a plan', () => {
  test.each([
    [plan('running', 5, 3, 2), 'completed 2, running 1, none 2'],
    [plan('waiting', 2, 1, 0), 'waiting 1, none 1'],
    [plan('failed', 3, 3, 2), 'completed 2, failed 1'],
    [plan('completed', 3, 3, 2), 'completed 2, cancelled 1'],
    [plan('planning', 4, 0, 0), 'none 4'],
    [plan('completed', 0, 0, 0), ''],
  ])('of %j are shown by progress', (subject, expected) => {
    expect(
      stepRuns(subject)
        .map(({ state, steps }) => `${state ?? 'none'} ${steps}`)
        .join(', '),
    ).toBe(expected)
  })

  test.each([
    [plan('running', 5, 3, 2), '2 of 5 steps completed, 1 more begun'],
    [plan('completed', 1, 1, 1), '1 of 1 step completed'],
  ])('of %j are described in words', (subject, expected) => {
    expect(stepsText(subject)).toBe(expected)
  })
})
