import { describe, expect, test } from 'vitest'

import { receive, receiveLight } from '../../src/otlp/index.js'
import { field, inScope, request } from './protobuf-bytes.js'

const SPAN_LIMIT = 131_072
const PART_LIMIT = 1_048_576

/** The reason why a request is too large; undefined for an accepted request. */
function tooLarge(encoding: 'json' | 'protobuf', body: Uint8Array): string | undefined {
  const result = receive(encoding, body)
  if (result.ok) return undefined
  expect(result.isTooLarge).toBe(true)
  return result.message
}

/** Repeats an empty message of a repeated field. */
const empty = (number: number, count: number): Buffer => Buffer.alloc(count * 2, field(number))
const emptyJson = (count: number): string => `{}${',{}'.repeat(count - 1)}`

describe('empty spans', () => {
  test.each([
    ['json', (count: number) => Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${emptyJson(count)}]}]}]}`)],
    ['protobuf', (count: number) => inScope(empty(2, count))],
  ] as const)('are counted: %s', (encoding, spans) => {
    expect(tooLarge(encoding, spans(SPAN_LIMIT))).toBeUndefined()
    expect(tooLarge(encoding, spans(SPAN_LIMIT + 1))).toBe(
      `The request has more than ${SPAN_LIMIT} spans. Send less at once.`,
    )
  })
})

describe('empty parts', () => {
  test.each([
    // Besides the attributes there are a resource, a scope and a span.
    ['attributes', 'protobuf', (count: number) => request(empty(9, count - 3))],
    ['events', 'protobuf', (count: number) => request(empty(11, count - 3))],
    ['resources', 'protobuf', (count: number) => empty(1, count)],
    ['resources', 'json', (count: number) => Buffer.from(`{"resourceSpans":[${emptyJson(count)}]}`)],
  ] as const)('%s are counted: %s', (_, encoding, parts) => {
    expect(tooLarge(encoding, parts(PART_LIMIT))).toBeUndefined()
    expect(tooLarge(encoding, parts(PART_LIMIT + 1))).toContain(`more than ${PART_LIMIT} resources, scopes`)
  })
})

test('2,048 spans of 100 attributes are far from any limit', () => {
  const attribute = { key: 'k', value: { intValue: 1 } }
  const span = {
    traceId: '0'.repeat(31) + '1',
    spanId: '0'.repeat(15) + '1',
    attributes: Array.from({ length: 100 }, () => attribute),
  }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: Array.from({ length: 2048 }, () => span) }] }] }
  expect(receive('json', Buffer.from(JSON.stringify(body)))).toMatchObject({
    ok: true,
    request: { spans: 2048, parts: 2048 * 101 + 2 },
  })
})

describe('a light request', () => {
  const attributes = (count: number) => request(empty(9, count))

  test('is received like any other', () => {
    for (const body of [attributes(16_000), attributes(10).subarray(1), inScope(empty(2, 5))]) {
      expect(receiveLight('protobuf', body, {})).toEqual(receive('protobuf', body))
    }
  })

  test.each([
    ['many parts', 'protobuf', attributes(17_000), {}],
    ['a place to rewrite', 'protobuf', request(field(15), field(15)), {}],
    ['a large body', 'protobuf', Buffer.alloc((1 << 20) + 1), {}],
    ['a large body', 'json', Buffer.alloc((128 << 10) + 1), {}],
    ['secrets to mask', 'protobuf', attributes(1), { redact: true }],
  ] as const)('has not %s (%s)', (_, encoding, body, options) => {
    expect(receiveLight(encoding, body, options)).toBeUndefined()
  })
})
