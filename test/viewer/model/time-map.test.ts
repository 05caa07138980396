import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { breaksOf, segmentsOf } from '../../../viewer/src/model/breaks.js'
import type { Row } from '../../../viewer/src/model/row.js'
import { ticksOf } from '../../../viewer/src/model/ticks.js'
import { timeMapOf } from '../../../viewer/src/model/time-map.js'
import { type Range, within, zoomed } from '../../../viewer/src/model/time-range.js'
import { row, treeWith } from '../support/rows.js'

/** A time range that begins some years after 1970, with breaks that are not adjacent. */
const broken = fc
  .record({
    begin: fc.integer({ min: 0, max: 2e12 }),
    lengths: fc.array(fc.tuple(fc.integer({ min: 1, max: 1e7 }), fc.integer({ min: 1, max: 1e9 })), { maxLength: 9 }),
    last: fc.integer({ min: 1, max: 1e7 }),
  })
  .map(({ begin, lengths, last }) => {
    const breaks: Range[] = []
    let at = begin
    for (const [busy, idle] of lengths) {
      breaks.push({ from: at + busy, to: at + busy + idle })
      at += busy + idle
    }
    return { whole: { from: begin, to: at + last }, breaks }
  })

/** A time in, before or after a range. */
const timeAround = ({ from, to }: Range, share: number): number => from + (to - from) * share
const share = fc.double({ min: -0.5, max: 1.5, noNaN: true })

describe('times on an axis with breaks', () => {
  test('keep their order', () => {
    fc.assert(
      fc.property(broken, share, share, ({ whole, breaks }, a, b) => {
        const { placeOf } = timeMapOf(whole, breaks)
        const [first, second] = [timeAround(whole, Math.min(a, b)), timeAround(whole, Math.max(a, b))]
        expect(placeOf(first)).toBeLessThanOrEqual(placeOf(second))
      }),
    )
  })

  test('are recovered from their positions, and positions from their times', () => {
    fc.assert(
      fc.property(broken, share, ({ whole, breaks }, at) => {
        const { placeOf, timeAt, length } = timeMapOf(whole, breaks)
        const time = timeAround(whole, at)
        const place = length * at
        // A break shortens the axis, so the remaining time is as exact as the position.
        const exact = (whole.to - whole.from) * 1e-6
        expect(Math.abs(timeAt(placeOf(time)) - time)).toBeLessThanOrEqual(exact)
        expect(Math.abs(placeOf(timeAt(place)) - place)).toBeLessThanOrEqual(length * 1e-3)
      }),
    )
  })

  test('have breaks of equal width, which take at most half, and are proportional elsewhere', () => {
    fc.assert(
      fc.property(broken, ({ whole, breaks }) => {
        const { placeOf, length } = timeMapOf(whole, breaks)
        const widths = breaks.map(({ from, to }) => placeOf(to) - placeOf(from))
        for (const width of widths) expect(width / length).toBeCloseTo(Math.min(1 / 12, 1 / 2 / breaks.length), 6)
        let at = whole.from
        for (const { from, to } of [...breaks, { from: whole.to, to: whole.to }]) {
          expect(placeOf(from) - placeOf(at)).toBeCloseTo(from - at, 1)
          at = to
        }
        expect([placeOf(whole.from), placeOf(whole.to)]).toEqual([0, expect.closeTo(length, 1)])
      }),
    )
  })
})

describe('ticks', () => {
  const straight = timeMapOf({ from: 1_000, to: 11_000 }, [])

  test('are round times after the start of the plan', () => {
    expect(ticksOf(straight, { from: 0, to: 10_000 }, 6).map(({ place }) => place)).toEqual([
      0, 2_000, 4_000, 6_000, 8_000, 10_000,
    ])
    expect(ticksOf(straight, { from: 2_500, to: 4_000 }, 4).map(({ after }) => after)).toEqual([
      2_500, 3_000, 3_500, 4_000,
    ])
    expect(ticksOf(timeMapOf({ from: 0, to: 9e10 }, []), { from: 0, to: 9e10 }, 8).length).toBeLessThanOrEqual(9)
  })

  test('restart after a break, and are never within one', () => {
    const map = timeMapOf({ from: 0, to: 1_010_000 }, [{ from: 5_000, to: 1_005_000 }])
    const [end, begin] = [map.placeOf(5_000), map.placeOf(1_005_000)]
    expect(
      ticksOf(map, { from: 0, to: map.length }, 6).map(({ place, after, isBehindBreak }) => [
        place,
        after,
        isBehindBreak,
      ]),
    ).toEqual([
      [0, 0, false],
      [2_000, 2_000, false],
      [4_000, 4_000, false],
      [begin, 0, true],
      [begin + 2_000, 2_000, true],
      [begin + 4_000, 4_000, true],
    ])
    expect(ticksOf(map, { from: 0, to: map.length }, 6)[2]!.room).toBe(end - 4_000)
  })
})

describe('a range', () => {
  test('is zoomed around a fixed point', () => {
    expect(zoomed({ from: 0, to: 100 }, 0.25, 0.5)).toEqual({ from: 12.5, to: 62.5 })
  })

  test('is moved into another range without changing its length, if it fits', () => {
    const whole = { from: 0, to: 100 }
    expect(within({ from: -10, to: 20 }, whole)).toEqual({ from: 0, to: 30 })
    expect(within({ from: 90, to: 120 }, whole)).toEqual({ from: 70, to: 100 })
    expect(within({ from: 10, to: 20 }, whole)).toEqual({ from: 10, to: 20 })
    expect(within({ from: -10, to: 110 }, whole)).toEqual(whole)
  })
})

describe('a folded range', () => {
  const plan = row('plan', null, { role: 'plan', duration: 100_000 })
  const call = (id: string, start: number, duration: number, more: Partial<Row> = {}) =>
    row(id, 'plan', { start, duration, ...more })
  const wait = (id: string, start: number, duration: number, more: Partial<Row> = {}) =>
    call(id, start, duration, { role: 'wait', ...more })
  const folded = (rows: readonly Row[], now?: number) => {
    const { nodes, start, end } = treeWith(plan, ...rows)
    return breaksOf(nodes.values(), { from: start, to: Math.max(end, now ?? 0) }, now)
  }

  test.each([
    ['a long wait', [wait('a', 10_000, 60_000), call('b', 70_000, 5_000)], [{ from: 10_000, to: 70_000 }]],
    [
      'waits that overlap, as one',
      [wait('a', 10_000, 30_000), wait('b', 30_000, 40_000)],
      [{ from: 10_000, to: 70_000 }],
    ],
    ['no short wait', [wait('a', 10_000, 10_000)], []],
    ['no pause without a wait', [call('a', 0, 1_000), call('b', 90_000, 1_000)], []],
    [
      'the rest of a wait beside concurrent work',
      [wait('a', 10_000, 60_000), call('b', 20_000, 20_000)],
      [{ from: 40_000, to: 70_000 }],
    ],
    [
      'the time until the next segment of a plan',
      [call('a', 0, 5_000), call('b', 80_000, 1_000, { segment: 1 })],
      [{ from: 5_000, to: 80_000 }],
    ],
    ['not all of a plan', [wait('a', 0, 100_000)], []],
  ])('is %s', (_, rows, expected) => {
    expect(folded(rows)).toEqual(expected)
  })

  test('is a running wait, up to now', () => {
    const going = wait('a', 50_000, 0, { state: 'waiting' })
    expect(folded([going], 900_000)).toEqual([{ from: 50_000, to: 900_000 }])
  })

  test('is listed with the starts of segments', () => {
    const { nodes } = treeWith(
      plan,
      call('a', 9, 1, { segment: 2 }),
      call('b', 4, 1, { segment: 1 }),
      call('c', 3, 1, { segment: 1 }),
    )
    expect(segmentsOf(nodes.values())).toEqual([
      { number: 2, start: 3 },
      { number: 3, start: 9 },
    ])
  })
})
