import { describe, expect, test } from 'vitest'

import { messagesOf } from '../../../viewer/src/model/messages.js'
import { ticksOf, zoomed } from '../../../viewer/src/model/time-range.js'

describe('messages', () => {
  test('are read with their parts of every kind', () => {
    const json = JSON.stringify([
      { role: 'user', parts: [{ type: 'text', content: 'Hello' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm' },
          { type: 'tool_call', id: '1', name: 'bash', arguments: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool_call_response', id: '1', result: 'ok' },
          { type: 'blob', data: '' },
        ],
      },
      { role: 'user', content: 'Old' },
    ])
    expect(messagesOf(json)).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
      {
        role: 'assistant',
        parts: [
          { kind: 'thought', text: 'Hm' },
          { kind: 'call', id: '1', name: 'bash', value: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        parts: [
          { kind: 'response', id: '1', value: 'ok' },
          { kind: 'other', value: { type: 'blob', data: '' } },
        ],
      },
      { role: 'user', parts: [{ kind: 'text', text: 'Old' }] },
    ])
  })

  test.each([undefined, '', '{', 'null', '[]', '[1]', '{"role":"user"}'])('%j is none', (json) => {
    expect(messagesOf(json)).toBeUndefined()
  })
})

describe('a range of time', () => {
  test('is zoomed around a point that stays', () => {
    expect(zoomed({ from: 0, to: 100 }, 0.25, 0.5)).toEqual({ from: 12.5, to: 62.5 })
  })

  test('has round ticks after the beginning of the plan', () => {
    expect(ticksOf({ from: 1_000, to: 11_000 }, 1_000, 6)).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000])
    expect(ticksOf({ from: 3_500, to: 5_000 }, 1_000, 4)).toEqual([2_500, 3_000, 3_500, 4_000])
    expect(ticksOf({ from: 0, to: 9e10 }, 0, 8).length).toBeLessThanOrEqual(9)
  })
})
