import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { MAX_DAYS, otlpRequests, receive, refusedSpans, storeRequests } from '../../src/otlp/index.js'
import { SCHEMA_URL, type Span } from '../../src/semconv/index.js'
import { PLANSPAN_VERSION } from '../../src/base/version.js'
import { anySpans, storableSpans } from './arbitrary-spans.js'
import { storedRequest } from './stored-request.js'

const span = (parts: Partial<Span> = {}): Span => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: '',
  name: 'invoke_workflow',
  kind: 'INTERNAL',
  startTimeUnixNano: 1_700_000_000_123_456_789n,
  endTimeUnixNano: 1_700_000_000_123_456_790n,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes: {},
  events: [],
  links: [],
  ...parts,
})

const spansOf = (text: string): unknown[] => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans

const written = (one: Span): unknown => {
  const [request] = otlpRequests([one], { serviceName: 's' })
  return spansOf(request!.text)[0]
}

test('the scope is planspan, with its version and its conventions', () => {
  const [request] = otlpRequests([span()], { serviceName: 's' })
  expect(JSON.parse(request!.text).resourceSpans[0].scopeSpans[0]).toMatchObject({
    scope: { name: 'planspan', version: PLANSPAN_VERSION },
    schemaUrl: SCHEMA_URL,
  })
})

test('a span is written as OTLP/JSON', () => {
  const full = span({
    parentSpanId: '00f067aa0ba902b7',
    kind: 'CLIENT',
    statusCode: 'ERROR',
    statusMessage: 'bad',
    attributes: { text: 'é', yes: true, int: 7, double: 0.5, zero: -0, huge: 1e300, list: ['a', 'b'] },
    events: [{ timeUnixNano: 5n, name: 'e', attributes: { a: 'b' } }],
    links: [{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), attributes: { t: 'x' } }],
  })
  expect(written(full)).toEqual({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    parentSpanId: '00f067aa0ba902b7',
    flags: 1,
    name: 'invoke_workflow',
    kind: 3,
    startTimeUnixNano: '1700000000123456789',
    endTimeUnixNano: '1700000000123456790',
    attributes: [
      { key: 'text', value: { stringValue: 'é' } },
      { key: 'yes', value: { boolValue: true } },
      { key: 'int', value: { intValue: '7' } },
      { key: 'double', value: { doubleValue: 0.5 } },
      { key: 'zero', value: { doubleValue: '-0' } },
      { key: 'huge', value: { doubleValue: 1e300 } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } } },
    ],
    events: [{ timeUnixNano: '5', name: 'e', attributes: [{ key: 'a', value: { stringValue: 'b' } }] }],
    links: [
      { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), attributes: [{ key: 't', value: { stringValue: 'x' } }] },
    ],
    status: { code: 2, message: 'bad' },
  })
})

test('requests contain all spans in order, and at most the given number of bytes unless a single span is larger', () => {
  const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 30 })
  fc.assert(
    fc.property(names, fc.integer({ min: 300, max: 3000 }), (all, maxBytes) => {
      const requests = [
        ...otlpRequests(
          all.map((name) => span({ name })),
          { serviceName: 'ü', maxBytes },
        ),
      ]
      const found = requests.flatMap(({ text }) => spansOf(text).map((one) => (one as Span).name))
      expect(found).toEqual(all.map((name) => JSON.parse(JSON.stringify(name))))
      expect(requests.map(({ spans }) => spans)).toEqual(requests.map(({ text }) => spansOf(text).length))
      for (const { text, spans } of requests) expect(spans === 1 || Buffer.byteLength(text) <= maxBytes).toBe(true)
    }),
  )
})

test('requests contain spans of a limited number of days, in the original order', () => {
  const DAY = 86_400_000_000_000n
  const starts = Array.from({ length: 250 }, (_, at) => BigInt(at) * DAY)
  const all = [...starts, ...starts].map((startTimeUnixNano) => span({ startTimeUnixNano }))
  const requests = [...otlpRequests(all, { serviceName: 's' })]
  expect(requests.map(({ spans }) => spans)).toEqual([100, 100, 100, 100, 100])
  for (const { text } of requests) {
    const result = receive('json', Buffer.from(text), { maxDays: MAX_DAYS })
    expect(result).toMatchObject({ ok: true, request: { refused: undefined } })
  }
  expect([
    ...otlpRequests(
      all.slice(0, 100).flatMap((one) => [one, one]),
      { serviceName: 's' },
    ),
  ]).toHaveLength(1)
})

describe('a request for the store', () => {
  const received = (all: readonly Span[], refuseBefore?: bigint) => {
    const [request] = otlpRequests(all, { serviceName: 's' })
    const result = receive('json', Buffer.from(request!.text), { refuseBefore })
    if (!result.ok) throw new Error(result.message)
    return result.request
  }

  test('is stored like a client’s request with the same spans', () => {
    fc.assert(
      fc.property(storableSpans, (all) => {
        const [request, ...others] = storeRequests(all, { serviceName: 's' })
        const { body, ...facts } = received(all)
        expect(others).toEqual([])
        expect({ ...facts, ...request, body: storedRequest(request!.body) }).toEqual({
          ...facts,
          body: storedRequest(body),
        })
      }),
    )
  })

  test('omits spans for the reasons that a client would receive', () => {
    fc.assert(
      fc.property(anySpans, fc.option(fc.bigInt({ min: 0n }), { nil: undefined }), (all, refuseBefore) => {
        expect(refusedSpans(all, { refuseBefore })).toEqual(received(all, refuseBefore).refused)
      }),
    )
  })

  test('omits spans from before 1970', () => {
    expect(refusedSpans([span(), span({ startTimeUnixNano: -1n })], {})).toEqual({
      rejectedSpans: 1,
      errorMessage: "1 span refused: its startTimeUnixNano, or an event's, is before the year 1970.",
    })
  })
})
