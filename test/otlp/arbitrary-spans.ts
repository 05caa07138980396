import fc from 'fast-check'

import type { Span } from '../../src/semconv/index.js'

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u2028', 'é', '😀', '\ud800', '\udc00') })
const value = fc.oneof(text, fc.boolean(), fc.integer(), fc.double(), fc.maxSafeInteger(), fc.array(text))
const attributes = fc.dictionary(text, value, { maxKeys: 5 })
const LIMIT = 2n ** 63n

const spansAt = (time: fc.Arbitrary<bigint>): fc.Arbitrary<Span[]> =>
  fc.array(
    fc.record({
      traceId: fc.constant('0af7651916cd43dd8448eb211c80319c'),
      spanId: fc.constant('b7ad6b7169203331'),
      parentSpanId: fc.constantFrom('', '00f067aa0ba902b7'),
      name: text,
      kind: fc.constantFrom('INTERNAL', 'CLIENT'),
      startTimeUnixNano: time,
      endTimeUnixNano: time,
      statusCode: fc.constantFrom('UNSET', 'OK', 'ERROR'),
      statusMessage: text,
      attributes,
      events: fc.array(fc.record({ timeUnixNano: time, name: text, attributes }), { maxLength: 2 }),
      links: fc.array(
        fc.record({ traceId: fc.constant('ab'.repeat(16)), spanId: fc.constant('cd'.repeat(8)), attributes }),
        { maxLength: 2 },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  )

/** Spans of planspan's own writer, with any strings and numbers. */
export const storableSpans = spansAt(fc.bigInt({ min: 0n, max: LIMIT - 1n }))
/** The same spans, with times that the store cannot hold. */
export const anySpans = spansAt(
  fc.oneof(fc.bigInt({ min: 0n, max: LIMIT - 1n }), fc.bigInt({ min: LIMIT, max: 2n * LIMIT - 1n })),
)
