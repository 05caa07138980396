import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { AnswerRoom, beginning, brief, costOf } from '../../src/mcp/answer-room.js'

const awkward = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', '漢', '🚀', '…'), maxLength: 200 })

describe('the space of a response', () => {
  test('is measured by the size of a value as JSON, and as text in JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value)
        expect(costOf(value)).toBe(Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) + 2)
      }),
    )
  })

  test('holds the first items that fit, within a given share', () => {
    fc.assert(
      fc.property(
        fc.array(awkward),
        fc.integer({ min: 0, max: 5_000 }),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (items, bytes, share) => {
          const room = new AnswerRoom(bytes)
          const shown = room.fill(items, share)
          const cost = shown.reduce((sum, item) => sum + costOf(item), 0)
          expect(shown).toEqual(items.slice(0, shown.length))
          expect(cost).toBeLessThanOrEqual(bytes * share)
          expect(room.left).toBe(bytes - cost)
          const next = items[shown.length]
          if (next !== undefined) expect(cost + costOf(next)).toBeGreaterThan(bytes * share)
        },
      ),
    )
  })
})

describe('a long text', () => {
  test('is truncated to the available space, between characters', () => {
    fc.assert(
      fc.property(awkward, fc.integer({ min: 20, max: 600 }), (text, bytes) => {
        const part = beginning(text, bytes)
        expect(text.startsWith(part)).toBe(true)
        expect(part.isWellFormed()).toBe(true)
        expect(costOf(part)).toBeLessThanOrEqual(bytes)
        expect(costOf(brief(text, bytes))).toBeLessThanOrEqual(bytes)
        if (costOf(text) <= bytes) expect([part, brief(text, bytes)]).toEqual([text, text])
        else expect(brief(text, bytes).endsWith('…')).toBe(true)
      }),
      { examples: [['🚀\u0001🚀', 39]] },
    )
  })
})
