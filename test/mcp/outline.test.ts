import { describe, expect, test } from 'vitest'

import type { StructureJson } from '../../src/client/index.js'
import { deepest, inLevels, outlineOf } from '../../src/mcp/tools/read-plan.js'

/** A structure from each span's name, the index of its parent, and whether it failed. */
const structureOf = (...rows: readonly (readonly [string, number | null, boolean?])[]): StructureJson => ({
  traceId: 't',
  startTime: '2026-03-04T12:00:00Z',
  planned: false,
  spans: rows.map(([id, parent, failed = false]) => [
    id,
    parent,
    null,
    id,
    '',
    0,
    0,
    null,
    failed,
    false,
    null,
    null,
    null,
    0,
    null,
    null,
  ]),
})

const PLAN = structureOf(['plan', null], ['a', 0], ['a1', 1], ['b', 0], ['b1', 3, true], ['b2', 3], ['b1x', 4, true])

const shown = (structure: StructureJson, levels: number, under?: string) =>
  [...inLevels(outlineOf(structure, under) ?? [], levels)].map(({ row, depth }) => `${' '.repeat(depth)}${row[0]}`)

describe('the outline of a plan', () => {
  test('lists each span before its descendants, down to the requested level', () => {
    expect(shown(PLAN, 9)).toEqual(['plan', ' a', '  a1', ' b', '  b1', '   b1x', '  b2'])
    expect(shown(PLAN, 2)).toEqual(['plan', ' a', ' b'])
    expect(shown(PLAN, 2, 'b')).toEqual(['b', ' b1', ' b2'])
    expect(outlineOf(PLAN, 'none')).toBeUndefined()
  })

  test('reports the descendants, and how many of them failed', () => {
    const [plan] = outlineOf(PLAN, undefined) ?? []
    expect([plan?.below, plan?.failedBelow]).toEqual([6, 2])
    expect(plan?.children.map(({ below, failedBelow }) => [below, failedBelow])).toEqual([
      [1, 0],
      [3, 2],
    ])
  })

  test('goes as deep as fits, at least one level', () => {
    const roots = outlineOf(PLAN, undefined) ?? []
    expect([1, 2, 3, 5, 6, 7, 100].map((most) => deepest(roots, most))).toEqual([1, 1, 2, 2, 3, 4, 4])
    expect(deepest(outlineOf(structureOf(['a', null], ['b', null]), undefined) ?? [], 1)).toBe(1)
  })

  test('accepts a parent that starts after its child', () => {
    expect(shown(structureOf(['child', 1], ['plan', null]), 9)).toEqual(['plan', ' child'])
  })

  test('supports a chain of 50,000 spans', () => {
    const chain = structureOf(
      ...Array.from({ length: 50_000 }, (_, at) => [String(at), at === 0 ? null : at - 1] as const),
    )
    expect(outlineOf(chain, undefined)?.[0]?.below).toBe(49_999)
  })
})
