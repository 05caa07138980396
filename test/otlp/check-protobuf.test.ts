import { describe, expect, it } from 'vitest'

import { checkProtobuf } from '../../src/otlp/check-protobuf.js'
import { attribute, bytes, field, fixed64, inScope, request, SPAN_ID, TRACE_ID } from './protobuf-bytes.js'

const check = (body: Uint8Array, refuseBefore?: bigint) => {
  const result = checkProtobuf(body, { refuseBefore })
  return result.ok ? result.request : result.message
}

describe('a protobuf body', () => {
  it.each<[string, Buffer]>([
    ['a varint without an end', bytes(0x0a, 0x80)],
    ['a varint of eleven bytes', request(TRACE_ID, SPAN_ID, bytes(6 << 3, ...Array<number>(10).fill(0x80), 1))],
    ['a length over the end of the body', bytes(0x0a, 5, 0)],
    [
      'a length over the end of its message only',
      bytes(field(1, bytes(0x12, 9)), field(1, Buffer.alloc(0)), Buffer.alloc(9)),
    ],
    ['a fixed64 over the end of its message', request(bytes((7 << 3) | 1, 0, 0, 0))],
    ['field number 0', bytes(0x02, 0)],
    ['a group', bytes((9 << 3) | 3, (9 << 3) | 4)],
    ['an end of a group', bytes((9 << 3) | 4)],
    ['wire type 6', bytes((9 << 3) | 6)],
    ['a string as a varint', request(TRACE_ID, SPAN_ID, bytes(5 << 3, 1))],
    ['a time as a varint', request(TRACE_ID, SPAN_ID, bytes(7 << 3, 1))],
    ['a string that is not UTF-8', request(TRACE_ID, SPAN_ID, field(5, bytes('a', 0xff)))],
    ['an attribute key that is not UTF-8', request(TRACE_ID, SPAN_ID, field(9, field(1, Buffer.of(0xc3))))],
    ['a surrogate in UTF-8', request(TRACE_ID, SPAN_ID, field(5, Buffer.from('eda080', 'hex')))],
    ['JSON', bytes('{"resourceSpans":[]}')],
  ])('is rejected with %s', (_, body) => {
    expect(check(body)).toMatch(/at byte \d+\.$/)
  })

  it('is rejected when its values are nested too deeply', () => {
    let value: Buffer = Buffer.alloc(0)
    for (let depth = 0; depth < 300; depth++) value = field(5, field(1, value))
    expect(checkProtobuf(request(TRACE_ID, SPAN_ID, attribute(value)), {})).toEqual({
      ok: false,
      message: 'The request has a value that is nested deeper than 200 levels.',
      isTooLarge: false,
    })
  })

  it.each<[string, Buffer, number]>([
    ['nothing', Buffer.alloc(0), 0],
    ['empty messages', bytes(field(1), inScope(), inScope(field(1))), 0],
    ['a span', request(TRACE_ID, SPAN_ID), 1],
    [
      'unknown fields of each wire type',
      request(
        TRACE_ID,
        SPAN_ID,
        bytes(0xa0, 6, 1),
        bytes(0x91, 1, Buffer.alloc(8)),
        bytes(0xfa, 1, 1, 0xff),
        bytes(0xfd, 1, Buffer.alloc(4)),
      ),
      1,
    ],
    [
      'spans in several places',
      bytes(request(TRACE_ID, SPAN_ID), inScope(field(2, TRACE_ID, SPAN_ID), field(2, TRACE_ID, SPAN_ID))),
      3,
    ],
    ['a length and a tag that are longer than they need be', bytes(0x8a, 0x00, 0x80, 0x00), 0],
  ])('with %s is accepted unchanged', (_, body, spanCount) => {
    expect(check(body)).toMatchObject({ spanCount, refused: new Map(), values: [], marks: [] })
  })

  it.each<[string, Buffer[], string | undefined]>([
    ['no trace id', [SPAN_ID], 'trace id'],
    ['a trace id of 8 bytes', [field(1, Buffer.alloc(8, 1)), SPAN_ID], 'trace id'],
    ['a trace id of zeros', [field(1, Buffer.alloc(16)), SPAN_ID], 'trace id'],
    ['no span id', [TRACE_ID], 'span id'],
    ['a span id of zeros', [TRACE_ID, field(2, Buffer.alloc(8))], 'span id'],
    ['a parent id of 7 bytes', [TRACE_ID, SPAN_ID, field(4, Buffer.alloc(7, 1))], 'parentSpanId'],
    ['a link with a short trace id', [TRACE_ID, SPAN_ID, field(13, field(1, Buffer.alloc(3, 1)))], 'traceId'],
    ['a time beyond 2262', [TRACE_ID, SPAN_ID, fixed64(7, 2n ** 63n)], '2262'],
    ['an event beyond 2262', [TRACE_ID, SPAN_ID, field(11, fixed64(1, 2n ** 64n - 1n))], '2262'],
    ['a start before the retention', [TRACE_ID, SPAN_ID, fixed64(7, 99n)], 'retention'],
    ['a start at the retention', [TRACE_ID, SPAN_ID, fixed64(7, 100n)], undefined],
    ['two trace ids and a valid last one', [field(1, 'x'), TRACE_ID, SPAN_ID, fixed64(7, 100n)], undefined],
  ])('rejects a span with %s, and no other', (_, span, reason) => {
    const good = field(2, TRACE_ID, SPAN_ID, fixed64(7, 100n))
    const refused = reason === undefined ? new Map() : new Map([[1, expect.stringContaining(reason)]])
    expect(check(inScope(good, field(2, ...span), good), 100n)).toMatchObject({ spanCount: 3, refused })
  })

  it.each<[string, Buffer[], 'values' | 'marks' | undefined]>([
    ['a string', [attribute(field(1, 'x'))], undefined],
    ['a plain double', [attribute(fixed64(4, 0x3ff0000000000000n))], undefined],
    ['a double from 1e21 on', [attribute(fixed64(4, 0x7fefffffffffffffn))], 'values'],
    ['NaN', [attribute(fixed64(4, 0x7ff8000000000000n))], 'values'],
    ['bytes', [attribute(field(7, 'x'))], 'values'],
    ['an array', [attribute(field(5))], 'values'],
    ['a map', [attribute(field(6))], 'values'],
    ['two members of a oneof', [attribute(field(1, 'x'), bytes(2 << 3, 1))], 'values'],
    ['a bool of 2', [attribute(bytes(2 << 3, 2))], 'values'],
    ['an attribute value in two pieces', [field(9, field(2), field(2, field(1, 'x')))], 'marks'],
    ['a status in two pieces', [field(15, field(2, 'x')), field(15, bytes(3 << 3, 2))], 'marks'],
    ['two names', [field(5, 'a'), field(5, 'b')], 'marks'],
    ['a parent id of zeros', [field(4, Buffer.alloc(8))], 'marks'],
    ['a negative kind', [bytes(6 << 3, ...Array<number>(9).fill(0xff), 1)], undefined],
    ['a kind beyond 32 bits', [bytes(6 << 3, 0x80, 0x80, 0x80, 0x80, 0x10)], 'marks'],
  ])('with %s is rewritten if needed', (_, parts, where) => {
    const result = check(request(TRACE_ID, SPAN_ID, ...parts))
    if (typeof result === 'string') throw new Error(result)
    expect({ values: result.values.length > 0, marks: result.marks.length > 0 }).toEqual({
      values: where === 'values',
      marks: where === 'marks',
    })
  })
})
