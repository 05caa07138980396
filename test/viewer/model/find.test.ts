import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { countsBelow, nodesOfKinds, ownTime, partsAround, shows } from '../../../viewer/src/model/find.js'
import { inOrder } from '../../../viewer/src/model/sums.js'
import { ids, row, treeWith } from '../support/rows.js'

describe('a search by kind', () => {
  test('finds slow spans by their own time, without waits and containers', () => {
    const { errors, slow } = nodesOfKinds(
      inOrder(
        treeWith(
          row('plan', null, { role: 'plan', duration: 90_000, failed: true }),
          row('wait', 'plan', { role: 'wait', duration: 60_000 }),
          row('cycle', 'plan', { role: 'think_act', duration: 20_000, failed: true }),
          row('tool', 'cycle', { duration: 19_500, failed: true, failure: 'gone' }),
          row('quick', 'cycle', { start: 19_500, duration: 400 }),
        ),
      ),
    )
    expect([ids(slow), ids(errors)]).toEqual([['tool'], ['tool']])
  })

  test('finds a twentieth of many, and nothing if no span takes a second or a thousand tokens', () => {
    const calls = Array.from({ length: 100 }, (_, at) =>
      row(String(at), null, { role: 'llm', start: at, duration: (at + 1) * 100, tokens: (at + 1) * 100 }),
    )
    const many = nodesOfKinds(inOrder(treeWith(...calls)))
    expect([many.slow.length, many.costly.length]).toEqual([5, 5])
    const few = nodesOfKinds(inOrder(treeWith(...calls.slice(0, 9))))
    expect([few.slow, few.costly]).toEqual([[], []])
  })

  test('finds spans that were judged risky', () => {
    const judged = (id: string, judgement: 'safe' | 'taken', risk: number) =>
      row(id, null, { role: 'guardrail', judgement, risk })
    const tree = treeWith(judged('a', 'safe', 0.1), judged('b', 'taken', 0.1), judged('c', 'safe', 0.8))
    expect(ids(nodesOfKinds(inOrder(tree)).risky)).toEqual(['b', 'c'])
  })

  test('is counted in the branches that contain a match', () => {
    const tree = treeWith(row('a', null), row('b', 'a'), row('c', 'b'), row('d', 'b'))
    expect(Object.fromEntries(countsBelow([tree.nodes.get('c')!, tree.nodes.get('d')!]))).toEqual({ a: 2, b: 2 })
  })
})

describe('a span’s own time', () => {
  test('excludes the time of its children, and overlaps only once', () => {
    const tree = treeWith(
      row('a', null, { start: 100, duration: 100 }),
      row('b', 'a', { start: 110, duration: 20 }),
      row('c', 'a', { start: 120, duration: 30 }),
      row('d', 'a', { start: 190, duration: 500 }),
    )
    expect(ownTime(tree.nodes.get('a')!)).toBe(10 + 40)
  })

  test('is never negative, nor longer than the span', () => {
    const span = fc.record({ start: fc.nat(1000), duration: fc.nat(1000) })
    fc.assert(
      fc.property(span, fc.array(span), (above, below) => {
        const rows = below.map((one, index) => row(String(index), 'a', one))
        const own = ownTime(treeWith(row('a', null, above), ...rows).nodes.get('a')!)
        expect(own).toBeGreaterThanOrEqual(0)
        expect(own).toBeLessThanOrEqual(above.duration)
      }),
    )
  })
})

describe('a searched text', () => {
  test('is found in visible rows, regardless of case', () => {
    expect(shows(row('Browse', null, { label: 'Museums' }), 'browse')).toBe(true)
    expect(shows(row('Browse', null, { label: 'Museums' }), 'muse')).toBe(true)
    expect(shows(row('Browse', null), 'muse')).toBe(false)
  })

  test('is every other part of the marked text', () => {
    expect(partsAround('Call run_tests: Test', 'test')).toEqual(['Call run_', 'test', 's: ', 'Test', ''])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1, maxLength: 2 }), (text, sought) => {
        const parts = partsAround(text, sought.toLowerCase())
        expect(parts.join('')).toBe(text)
        for (const [index, part] of parts.entries()) {
          if (index % 2 === 1) expect(part.toLowerCase()).toBe(sought.toLowerCase())
        }
      }),
    )
  })
})
