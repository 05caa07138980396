import { describe, expect, test } from 'vitest'

import {
  type ComparedRow,
  differenceWords,
  headingOf,
  isDifference,
  planLetter,
  figureDifference,
  signed,
  type Side,
} from '../../../viewer/src/model/compared.js'
import { countText } from '../../../viewer/src/model/quantity.js'

const side = (more: Partial<Side> = {}): Side => ({
  spanId: 'a',
  action: 'book',
  detail: null,
  state: 'completed',
  error: null,
  risk: null,
  safe: null,
  taken: null,
  answer: null,
  tokens: null,
  costUsd: null,
  durationMs: null,
  ...more,
})

const row = (more: Partial<ComparedRow> = {}): ComparedRow => ({
  kind: 'changed',
  role: 'tool',
  depth: 1,
  path: 'step 1 "Book" › tool call 1 book',
  units: 1,
  differences: [],
  base: side(),
  other: side(),
  ...more,
})

describe('a row of a comparison', () => {
  test.each([
    ['tool', ['tool', 'arguments', 'error']],
    ['llm', ['name', 'model', 'error']],
    ['wait', ['name', 'question', 'error']],
    ['step', ['step', 'agent', 'error']],
    ['think_act', ['name', 'detail', 'error']],
  ] as const)('of the role %s says in what it differs, in words of that role', (role, words) => {
    expect(differenceWords(row({ role, differences: ['action', 'detail', 'error'] }))).toEqual(words)
  })

  test('names the risk if it differs, and ignores what only one plan did', () => {
    const differing = { base: side({ risk: 0.2 }), other: side({ risk: 0.9 }) }
    expect(differenceWords(row({ differences: ['verdict'], ...differing }))).toEqual(['verdict', 'risk'])
    expect(differenceWords(row({ kind: 'base', other: null }))).toEqual([])
  })

  test('reports how much more the second plan used, which is everything if the first used nothing', () => {
    expect(figureDifference(row({ base: side({ tokens: 100 }), other: side({ tokens: 40 }) }), 'tokens')).toBe(-60)
    expect(figureDifference(row({ kind: 'other', base: null, other: side({ tokens: 40 }) }), 'tokens')).toBe(40)
    expect(figureDifference(row({ kind: 'base', base: side({ tokens: 40 }), other: null }), 'tokens')).toBe(-40)
    expect(figureDifference(row({ base: side({ tokens: 100 }) }), 'tokens')).toBeNull()
  })

  test('has the last part of its path as its heading', () => {
    expect(headingOf(row())).toBe('Tool call 1 book')
    expect(headingOf(row({ path: 'plan' }))).toBe('Plan')
  })

  test('is a difference unless it and its descendants are equal', () => {
    const kinds = ['same', 'within', 'changed', 'base', 'other'] as const
    expect(kinds.filter((kind) => isDifference(row({ kind })))).toEqual(['changed', 'base', 'other'])
  })
})

test('differences have a sign, and are omitted if they are zero', () => {
  expect([1500, -320, 0, null].map((more) => signed(more, countText))).toEqual(['+1.5k', '−320', '', ''])
})

test('plans are labeled by letters', () => {
  expect([0, 1, 7].map(planLetter)).toEqual(['A', 'B', 'H'])
})
