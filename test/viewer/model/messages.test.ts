import { describe, expect, test } from 'vitest'

import { messagesOf } from '../../../viewer/src/model/messages.js'

describe('messages', () => {
  test('are read with parts of every kind', () => {
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

  test.each([undefined, '', '{', 'null', '[]', '[1]', '{"role":"user"}'])('%j is not a message', (json) => {
    expect(messagesOf(json)).toBeUndefined()
  })
})
