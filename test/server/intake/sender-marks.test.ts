import { describe, expect, it } from 'vitest'

import { receive } from '../../../src/otlp/index.js'
import { senderMarks } from '../../../src/server/intake/span-intake.js'
import { encode, makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'

describe.each(['protobuf', 'json'] as const)('the marks of a sender of %s', (encoding) => {
  const marks = (peer: string, service: string, span = 1) => {
    const received = receive(encoding, encode(encoding, makeRequest([makeSpan(span)], service)))
    if (!received.ok) throw new Error(received.message)
    return senderMarks(peer, received.request.resource)
  }
  const [connection, sender] = marks('10.0.0.1:40000', 'agent')

  it('are the same for the same resource over the same connection, whatever the spans', () => {
    expect(marks('10.0.0.1:40000', 'agent', 2)).toEqual([connection, sender])
  })

  it('share one mark over another connection from the same address', () => {
    expect(marks('10.0.0.1:40001', 'agent')).toEqual(['10.0.0.1:40001', sender])
  })

  it('share one mark for another resource over the same connection', () => {
    const [same, other] = marks('10.0.0.1:40000', 'other')
    expect(same).toBe(connection)
    expect(other).not.toBe(sender)
  })

  it('share no mark with the same resource at another address', () => {
    const others = marks('10.0.0.2:40000', 'agent')
    expect([connection, sender].filter((mark) => mark !== undefined && others.includes(mark))).toEqual([])
  })
})

it('exist for a request without a resource, too', () => {
  expect(senderMarks('[::1]:40000', undefined)).toHaveLength(2)
})
