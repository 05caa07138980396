import { expect, test } from 'vitest'

import { FinalSpans, SpanBuffer } from '../../../src/mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../../../src/semconv/index.js'

const row = (spanId: string, end: bigint, attributes: Record<string, string> = {}): StoredSpan => ({
  traceId: 'a'.repeat(32),
  spanId,
  parentSpanId: '',
  name: 'span',
  kind: 'Internal',
  startTimeUnixNano: 1n,
  endTimeUnixNano: end,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes,
  events: [],
  links: [],
  serviceName: '',
  scopeName: '',
  resourceAttributes: {},
})

const snapshotOf = (spanId: string) => row('5', 9n, { [ATTR.spanState]: PENDING, [ATTR.pendingSpanId]: spanId })

const numbered = (spanId: string, seq: number, end: bigint) => row(spanId, end, { [ATTR.snapshotSeq]: String(seq) })

test.for([
  ['the same row', row('1', 5n)],
  ['an earlier end', row('1', 4n)],
  ['a later end', row('1', 6n)],
  ['another span', row('2', 5n)],
  ['a snapshot', snapshotOf('1')],
  ['a snapshot of another span', snapshotOf('2')],
  ['a numbered row', numbered('1', 1, 5n)],
  ['a row with a negative number', numbered('1', -1, 5n)],
] as const)('%s is covered only if the buffer of all rows would ignore it', ([, next]) => {
  const buffer = new SpanBuffer()
  buffer.add(row('1', 5n))
  const spans = new FinalSpans(buffer)
  const isNew = buffer.add(next)
  // A numbered row is never covered.
  expect(spans.covers(next)).toBe(!isNew && next.attributes[ATTR.snapshotSeq] === undefined)
})

test('a row of a span whose final row is numbered is not covered', () => {
  const buffer = new SpanBuffer()
  buffer.add(numbered('1', -1, 5n))
  const spans = new FinalSpans(buffer)
  expect(spans.covers(row('1', 5n))).toBe(false)
  expect(spans.covers(numbered('1', -1, 5n))).toBe(false)
})
