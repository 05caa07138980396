import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { foldsBetween, shownCells } from '../../../viewer/src/model/ribbon.js'

describe('the cells of a ribbon', () => {
  test('are all drawn if there is room', () => {
    expect(shownCells(5, 5)).toEqual([{ from: 0, to: 5 }])
    expect(shownCells(0, 5)).toEqual([])
  })

  test('are otherwise the first, the last, and those around the current cell', () => {
    expect(shownCells(100, 25)).toEqual([
      { from: 0, to: 10 },
      { from: 90, to: 100 },
    ])
    expect(shownCells(100, 26, 50)).toEqual([
      { from: 0, to: 4 },
      { from: 46, to: 54 },
      { from: 96, to: 100 },
    ])
  })

  test('and the folds between them cover every cell once, and the current cell is drawn', () => {
    const count = fc.integer({ min: 1, max: 300 })
    fc.assert(
      fc.property(count, fc.integer({ min: 1, max: 120 }), fc.option(fc.nat(), { nil: undefined }), (all, room, at) => {
        const chosen = at === undefined ? undefined : at % all
        const shown = shownCells(all, room, chosen)
        const parts = [...shown, ...foldsBetween(shown)].toSorted((a, b) => a.from - b.from)
        expect(parts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index))).toEqual(
          Array.from({ length: all }, (_, index) => index),
        )
        if (chosen !== undefined) expect(shown.some(({ from, to }) => from <= chosen && chosen < to)).toBe(true)
        const drawn = shown.reduce((sum, { from, to }) => sum + to - from, 0)
        expect(drawn).toBeLessThanOrEqual(Math.max(room, 3))
      }),
    )
  })
})
