import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordSearch } from '../../src/redaction/word-search.js'

const WORDS = ['pin', 'pinned', 'inn', 'n -', '密码', 'is', 'this']

test('finds each end of a searched word, and no other', () => {
  const search = wordSearch(WORDS)
  const piece = fc.constantFrom(...WORDS, 'PIN', 'p', 'i', 'N', ' ', '-', '密', '\u{1F511}', 'ſ')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const found: number[] = []
      search(text, (_word, end) => found.push(end) < 0)
      const wanted = Array.from({ length: text.length }, (_, at) => at + 1).flatMap((end) =>
        WORDS.filter((word) => text.slice(0, end).toLowerCase().endsWith(word)).map(() => end),
      )
      expect(found).toEqual(wanted)
    }),
  )
})

test('stops at the first accepted end', () => {
  const ends: number[] = []
  expect(wordSearch(['a'])('a-a-a', (_word, end) => ends.push(end) === 2)).toBe(true)
  expect(ends).toEqual([1, 3])
})
