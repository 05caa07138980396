import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  countOf,
  hasKey,
  isBranch,
  isIndex,
  keyOf,
  kindOf,
  type Lines,
  linesOf,
  LIST,
  membersBelow,
  OBJECT,
  TEXT,
  valueOf,
} from '../../../viewer/src/model/lines.js'
import { foldedAtFirst, hitsIn, shownLines, unfoldedTo } from '../../../viewer/src/model/shown-lines.js'

/** The value that lines represent. */
function valueAt(lines: Lines, line: number): unknown {
  const kind = kindOf(lines, line)
  if (kind === TEXT) return valueOf(lines, line)
  if (kind !== OBJECT && kind !== LIST) return JSON.parse(valueOf(lines, line))
  return valueOfMembers(lines, membersBelow(lines, line), kind === LIST)
}

const valueOfMembers = (lines: Lines, members: readonly number[], isList: boolean): unknown =>
  isList
    ? members.map((line) => valueAt(lines, line))
    : Object.fromEntries(members.map((line) => [keyOf(lines, line), valueAt(lines, line)]))

const outermost = (lines: Lines): number[] =>
  Array.from({ length: countOf(lines) }, (_, line) => line).filter((line) => lines.depths[line] === 0)

const holders = fc.jsonValue().filter((value) => typeof value === 'object' && value !== null)

describe('the lines of JSON', () => {
  test('represent its value', () => {
    fc.assert(
      fc.property(holders, (value) => {
        const lines = linesOf(JSON.stringify(value))
        expect(valueOfMembers(lines, outermost(lines), Array.isArray(value))).toEqual(JSON.parse(JSON.stringify(value)))
        for (const line of outermost(lines)) expect(isIndex(lines, line)).toBe(Array.isArray(value))
      }),
    )
  })

  test('support any depth', () => {
    const deep = 20_000
    const lines = linesOf(`${'['.repeat(deep)}1${']'.repeat(deep)}`)
    expect([countOf(lines), membersBelow(lines, 0)]).toEqual([deep, [1]])
  })
})

describe('the lines of a text', () => {
  test.each(['', 'a', 'a\nb', '\n', '{"a":', '[1] as was said\nbefore'])('%j has its own lines', (text) => {
    const lines = linesOf(text)
    const all = Array.from({ length: countOf(lines) }, (_, line) => line)
    expect(all.map((line) => valueOf(lines, line)).join('\n')).toBe(text)
    expect(all.some((line) => hasKey(lines, line) || isBranch(lines, line))).toBe(false)
  })
})

describe('folded lines', () => {
  const value = { a: { b: { c: { d: 1 } } }, many: Array.from({ length: 30 }, (_, at) => ({ at })), last: 1 }
  const lines = linesOf(JSON.stringify(value))
  const named = (all: readonly number[]): string[] => all.map((line) => keyOf(lines, line))

  test('are at first the deep lines and those with many members', () => {
    expect(named(shownLines(lines, foldedAtFirst(lines)))).toEqual(['a', 'b', 'c', 'many', 'last'])
  })

  test('are unfolded on the path to a selected line, and nowhere else', () => {
    const folded = foldedAtFirst(lines)
    const [hit] = hitsIn(lines, 'd: 1')
    const shown = shownLines(lines, unfoldedTo(lines, folded, hit!.line))
    expect(named(shown)).toEqual(['a', 'b', 'c', 'd', 'many', 'last'])
  })

  test('are shown when they are selected, whatever is folded', () => {
    fc.assert(
      fc.property(holders, fc.nat(), (json, at) => {
        const made = linesOf(JSON.stringify(json))
        if (countOf(made) === 0) return
        const wanted = at % countOf(made)
        const all = new Set(
          Array.from({ length: countOf(made) }, (_, line) => line).filter((line) => isBranch(made, line)),
        )
        const shown = shownLines(made, unfoldedTo(made, all, wanted))
        expect(shown).toContain(wanted)
        expect(shown).toEqual(shown.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('a text that is searched in lines', () => {
  test('is found in keys and values, regardless of case, and never across two lines', () => {
    const lines = linesOf('{"Name":"An anagram","none":"x","b":"an"}')
    expect(hitsIn(lines, 'an')).toEqual([
      { line: 0, at: 6 },
      { line: 0, at: 9 },
      { line: 2, at: 3 },
    ])
    expect(hitsIn(lines, 'xb')).toEqual([])
    expect(hitsIn(lines, '')).toEqual([])
  })

  test('is at its reported position', () => {
    fc.assert(
      fc.property(holders, fc.string({ minLength: 1, maxLength: 2 }), (json, text) => {
        const lines = linesOf(JSON.stringify(json))
        for (const { line, at } of hitsIn(lines, text.toLowerCase())) {
          const from = lines.starts[line]! + at
          expect(lines.text.slice(from, from + text.length).toLowerCase()).toBe(text.toLowerCase())
          expect(from).toBeLessThan(lines.starts[line + 1]!)
        }
      }),
    )
  })
})
