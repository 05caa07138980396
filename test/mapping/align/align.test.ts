import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { align, wholeOf } from '../../../src/mapping/align/align.js'
import { shortestEdit } from '../../../src/mapping/align/shortest-edit.js'

const sequence = fc.array(fc.nat({ max: 5 }), { maxLength: 40 })

/** The length of the longest common subsequence, by the textbook table. */
function longestCommon(a: readonly number[], b: readonly number[]): number {
  let row = [0, ...b.map(() => 0)]
  for (const one of a) {
    const next = [0]
    for (const [j, other] of b.entries()) {
      next.push(one === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

describe('an alignment of two sequences', () => {
  test('matches only equal items, each once and in the order of both', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const matches = align(a, b)
        for (const [i, j] of matches) expect(a[i]).toBe(b[j])
        for (const [index, [i, j]] of matches.entries()) {
          const [nextI, nextJ] = matches[index + 1] ?? [Infinity, Infinity]
          expect([nextI > i, nextJ > j]).toEqual([true, true])
        }
      }),
    )
  })

  test('matches as many as possible between items that occur once in each', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        expect(shortestEdit(a, b, wholeOf(a, b))).toHaveLength(longestCommon(a, b))
      }),
    )
  })

  test('finds removed, added and replaced items', () => {
    const a = Array.from({ length: 1000 }, (_, index) => index)
    const b = [...a.slice(0, 100), -1, -2, ...a.slice(100, 500), -3, ...a.slice(501, 900), ...a.slice(910)]
    expect(align(a, b)).toHaveLength(1000 - 1 - 10)
  })

  test('takes nearly linear time, and no time for equal items', () => {
    /** The number of comparisons. */
    const looks = (a: readonly number[], b: readonly number[]): number => {
      let count = 0
      const counted = new Proxy(a, {
        get: (target, key, receiver) => (count++, Reflect.get(target, key, receiver) as unknown),
      })
      align(counted, b)
      return count
    }
    const cycleOf = (length: number, of: readonly number[]) =>
      Array.from({ length }, (_, index) => of[index % of.length] ?? 0)
    const [few, many] = [2000, 16_000].map((length) =>
      looks(cycleOf(length, [1, 2, 3, 1]), cycleOf(length, [4, 2, 5, 3, 3])),
    )
    expect(many).toBeLessThan((few ?? 0) * 12)
    const same = cycleOf(16_000, [1, 2, 3])
    expect(looks(same, same)).toBeLessThan(17_000)
    const apart = looks(cycleOf(16_000, [1, 2]), cycleOf(16_000, [3, 4]))
    expect(apart).toBeLessThan(16_000 * 300)
  })
})
