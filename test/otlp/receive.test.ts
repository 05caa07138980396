import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { narrow, receive, type Encoding } from '../../src/otlp/index.js'
import { request as arbitraryRequest } from './arbitrary-request.js'
import { field, request as protobufRequest, SPAN_ID, TRACE_ID } from './protobuf-bytes.js'
import { encodeRequest, type RequestJson, type SpanJson } from './encode-request.js'

const span = (number: number, changes: Partial<SpanJson> = {}): SpanJson => ({
  traceId: 'a'.repeat(32),
  spanId: `b${number.toString(16).padStart(15, '0')}`,
  name: `span ${number}`,
  startTimeUnixNano: '5',
  endTimeUnixNano: '6',
  ...changes,
})
const request = (...spans: SpanJson[]): RequestJson => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const encode = (encoding: Encoding, body: RequestJson): Uint8Array =>
  encoding === 'json' ? Buffer.from(JSON.stringify(body)) : encodeRequest(body)

function received(encoding: Encoding, body: Uint8Array, refuseBefore?: bigint) {
  const result = receive(encoding, body, { refuseBefore })
  if (!result.ok) throw new Error(result.message)
  return result.request
}

const rewritten = (json: string) =>
  JSON.parse(Buffer.from(received('json', Buffer.from(json)).body).toString()) as unknown

/** A span whose status, or its JSON equivalent, occurs `count` times; the last occurrence has `code: 2`. */
function inPieces(encoding: Encoding, count: number): Uint8Array {
  if (encoding === 'protobuf') {
    const pieces = Buffer.alloc((count - 1) * 2, field(15))
    return protobufRequest(TRACE_ID, SPAN_ID, pieces, field(15, 3 << 3, 2))
  }
  const [start, end] = JSON.stringify(request(span(1))).split('"name"')
  return Buffer.from(`${start}${'"status":{},'.repeat(count - 1)}"status":{"code":2},"name"${end}`)
}

describe.each(['protobuf', 'json'] as const)('receiving %s', (encoding) => {
  it('merges a message that is split into very many parts', () => {
    const { body, spans } = received(encoding, inPieces(encoding, 150_000))
    expect(spans).toBe(1)
    expect(body.length).toBeLessThan(500)
  })

  it('rejects a request that would need millions of rewrites', () => {
    expect(receive(encoding, inPieces(encoding, 1_050_000))).toEqual({
      ok: false,
      message: expect.stringContaining('more than 1048576 places') as string,
      isTooLarge: true,
    })
  })
})

describe.each(['protobuf', 'json'] as const)('the start of spans, in %s,', (encoding) => {
  const DAY = 86_400_000_000_000n
  const times = { from: 100n * DAY, until: 200n * DAY }
  const startingAt = (starts: readonly bigint[]) =>
    encode(encoding, request(...starts.map((start, at) => span(at, { startTimeUnixNano: String(start) }))))
  const receivedOf = (starts: readonly bigint[], options: { maxDays?: number }) => {
    const result = receive(encoding, startingAt(starts), { times, ...options })
    if (!result.ok) throw new Error(result.message)
    return result.request
  }

  it('decides whether they are accepted, except for the first day of the range, which holds spans without a time', () => {
    const taken = [0n, DAY - 1n, times.from, times.until - 1n]
    expect(receivedOf(taken, {})).toMatchObject({ spans: 4, refused: undefined })
    for (const start of [DAY, times.from - 1n, times.until, 2n ** 63n - 1n]) {
      expect(receivedOf([start, 0n], {})).toMatchObject({
        spans: 1,
        refused: {
          rejectedSpans: 1,
          errorMessage: expect.stringMatching(
            /^1 span refused: it starts before 1970-04-11 or after 1970-07-20/,
          ) as string,
        },
      })
    }
  })

  it('may be on a limited number of days', () => {
    const starts = [150n, 151n, 150n, 152n, 151n, 153n].map((day) => day * DAY)
    expect(receivedOf(starts, { maxDays: 2 })).toMatchObject({
      spans: 4,
      refused: {
        rejectedSpans: 2,
        errorMessage: expect.stringContaining(
          '2 spans refused: it starts on another day than the spans before it',
        ) as string,
      },
    })
    expect(receivedOf(starts, { maxDays: 4 })).toMatchObject({ spans: 6, refused: undefined })
  })

  it('of a span that is rejected for another reason uses up no day', () => {
    const bad = span(0, { startTimeUnixNano: String(150n * DAY), spanId: '' })
    const good = span(1, { startTimeUnixNano: String(151n * DAY) })
    const result = receive(encoding, encode(encoding, request(bad, good)), { times, maxDays: 1 })
    expect(result).toMatchObject({ ok: true, request: { spans: 1 } })
  })
})

describe.each(['protobuf', 'json'] as const)('receiving %s', (encoding) => {
  it('relays a plain request unchanged', () => {
    const body = encode(encoding, request(span(1), span(2)))
    expect(received(encoding, body)).toEqual({
      encoding,
      body,
      spans: 2,
      parts: 4,
      refused: undefined,
      refusedFor: new Map(),
      ends: [0.000006, 0.000006],
    })
    expect(received(encoding, body).body).toBe(body)
  })

  it('reports why spans are rejected, and when the others with the same sender ended', () => {
    const late = '1772625600000000000'
    const body = encode(
      encoding,
      request(
        span(1, { endTimeUnixNano: late }),
        span(2, { traceId: '' }),
        span(3, { endTimeUnixNano: '0' }),
        span(4, { startTimeUnixNano: '4' }),
        span(5, { spanId: 'ab', endTimeUnixNano: late }),
      ),
    )
    const { refusedFor, ends } = received(encoding, body, 5n)
    expect(refusedFor).toEqual(
      new Map([
        ['id', 2],
        ['retention', 1],
      ]),
    )
    expect(ends).toEqual([Number(late) / 1e6])
  })

  it('omits rejected spans and counts them by reason', () => {
    const body = encode(
      encoding,
      request(
        span(1),
        span(2, { traceId: '' }),
        span(3, { startTimeUnixNano: '4' }),
        span(4, { spanId: 'ab' }),
        span(5, { traceId: '' }),
      ),
    )
    const result = received(encoding, body, 5n)
    expect(result.spans).toBe(1)
    expect(result.refused).toEqual({
      rejectedSpans: 4,
      errorMessage:
        '2 spans refused: its trace id is not 16 bytes, or all zero. ' +
        '1 span refused: it started before the oldest time that the retention keeps. ' +
        '1 span refused: its span id is not 8 bytes, or all zero.',
    })
    expect(received(encoding, result.body)).toMatchObject({ spans: 1, refused: undefined })
    expect(Buffer.from(result.body).includes('span 1')).toBe(true)
    expect(Buffer.from(result.body).includes('span 3')).toBe(false)
  })

  it('rewrites any request once: the result needs no rewriting and has the same number of spans', () => {
    fc.assert(
      fc.property(arbitraryRequest, (body) => {
        const first = received(encoding, encode(encoding, body))
        const second = received(encoding, first.body)
        expect(second.body).toBe(first.body)
        expect(second.spans).toBe(first.spans)
        expect(second.refused).toBeUndefined()
      }),
    )
  })

  it('narrows a request to the selected spans', () => {
    fc.assert(
      fc.property(arbitraryRequest, fc.infiniteStream(fc.boolean()), (body, wanted) => {
        const { spans, body: whole } = received(encoding, encode(encoding, body))
        const choice = [...wanted.take(spans)]
        const kept = choice.filter(Boolean).length
        expect(
          received(
            encoding,
            narrow({ encoding, body: whole }, (span) => choice[span] ?? false),
          ),
        ).toMatchObject({ spans: kept, refused: undefined })
      }),
    )
  })
})

describe('rewriting JSON', () => {
  const ids = '"traceId":"0AF7651916CD43DD8448EB211C80319C","spanId":"b7ad6b7169203331"'

  it('accepts what the collector accepts beyond the specification', () => {
    expect(
      rewritten(`{"resource_spans":[{"scopeSpans":null,"scope_spans":[{"scope":null,"spans":[{${ids},
        "parent_span_id":"0000000000000000","name":"a","name":"b","kind":"SPAN_KIND_CLIENT","start_time_unix_nano":"05",
        "status":{"code":1},"status":{"message":"m"},"attributes":[{"key":"a","value":{"intValue":"1"}}],
        "attributes":[{"key":"b","value":{"string_value":"x"}}],"schema":1e999}]}]}]}`),
    ).toEqual({
      resourceSpans: [
        {
          scopeSpans: [
            {
              scope: {},
              spans: [
                {
                  traceId: '0af7651916cd43dd8448eb211c80319c',
                  spanId: 'b7ad6b7169203331',
                  name: 'b',
                  kind: 3,
                  startTimeUnixNano: 5,
                  status: { code: 1, message: 'm' },
                  attributes: [
                    { key: 'a', value: { intValue: '1' } },
                    { key: 'b', value: { stringValue: 'x' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it.each<[string, string]>([
    [
      '"arrayValue":{"values":[{"intValue":9007199254740993},{"doubleValue":"-0"},{"stringValue":"\\ud800"},null]}',
      '[9007199254740993,-0,"\uFFFD",null]',
    ],
    [
      '"kvlistValue":{"values":[{"key":"b","value":{"boolValue":true}},{"key":"a"},{"key":"b","value":{"boolValue":false}}]}',
      '{"a":null,"b":false}',
    ],
    ['"array_value":{"values":[{"kvlist_value":{"values":[{"value":{"bytes_value":"AP8="}}]}}]}', '[{"":"AP8="}]'],
    ['"doubleValue":null', ''],
    ['"stringValue":null', ''],
    ['"doubleValue":-1e21', '-1e+21'],
    ['"doubleValue":"1e-7"', '1e-7'],
    ['"doubleValue":"+Inf"', 'Infinity'],
    ['"intValue":"007"', '7'],
    ['"stringValue":"a","boolValue":false', 'false'],
    ['"boolValue":true,"string_value":"last"', 'last'],
  ])('converts the value {%s} to text', (member, text) => {
    const lower = ids.toLowerCase().replaceAll('id"', 'Id"')
    expect(
      rewritten(
        `{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":{${member}}}]},"scopeSpans":[{"spans":[{${lower}}]}]}]}`,
      ),
    ).toMatchObject({
      resourceSpans: [{ resource: { attributes: [{ key: 'k', value: { stringValue: text } }] } }],
    })
  })
})
