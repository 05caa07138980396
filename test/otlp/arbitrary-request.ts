import fc from 'fast-check'

import type { AnyValueJson, KeyValueJson, RequestJson, SpanJson } from './encode-request.js'

/** Any text: graphemes, control characters, halves of surrogate pairs. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0x2f }).map((unit) => String.fromCharCode(unit)), maxLength: 6 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 6 }),
  fc.constantFrom('', '"', '\\', '/', '<>&', '\u2028\u2029', '\u{1F600}', '\uE000', '\uD83D'),
)

const key = fc.oneof(fc.constantFrom('', 'a', 'b', 'B', 'ä', 'service.name', '\uFFFD', '\u{1F600}', '\uE000'), text)

const double = fc
  .oneof(
    fc.double(),
    fc.double({ min: -1e25, max: 1e25 }),
    fc.integer(),
    fc.constantFrom(1e21, 1e20, 1e-6, 1e-7, 2 ** 63, 2 ** 64),
  )
  .map((value) =>
    Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value),
  )

const scalar: fc.Arbitrary<AnyValueJson> = fc.oneof(
  text.map((stringValue) => ({ stringValue })),
  fc.boolean().map((boolValue) => ({ boolValue })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ intValue: String(value) })),
  double.map((doubleValue) => ({ doubleValue })),
  fc.uint8Array({ maxLength: 5 }).map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
  fc.constant({}),
)

const { value } = fc.letrec<{ value: AnyValueJson }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { arbitrary: scalar, weight: 4 },
    { arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((values) => ({ arrayValue: { values } })), weight: 1 },
    {
      arbitrary: fc
        .array(fc.record({ key, value: tie('value') }, { requiredKeys: [] }), { maxLength: 4 })
        .map((values) => ({ kvlistValue: { values } })),
      weight: 1,
    },
  ),
}))

export const anyValue: fc.Arbitrary<AnyValueJson> = value

export const attributes: fc.Arbitrary<KeyValueJson[]> = fc.oneof(
  fc.array(fc.record({ key, value: anyValue }, { requiredKeys: [] }), { maxLength: 5 }),
  // Many equal keys, which reveal an unstable sort.
  fc.array(fc.record({ key: fc.constantFrom('a', 'b'), value: scalar }), { minLength: 30, maxLength: 40 }),
)

export const time = fc
  .oneof(
    { arbitrary: fc.bigInt({ min: 1_763_800_000_000_000_000n, max: 1_763_890_000_000_000_000n }), weight: 9 },
    { arbitrary: fc.constantFrom(0n, 1n, 2n ** 63n - 1n), weight: 1 },
  )
  .map(String)

const id = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((id) => Buffer.from(id).toString('hex'))

export const optionalId = (bytes: number) => fc.oneof(id(bytes), fc.constantFrom('', '0'.repeat(bytes * 2)))

const span: fc.Arbitrary<SpanJson> = fc.record(
  {
    traceId: id(16).map((hex) => `f${hex.slice(1)}`),
    spanId: id(8).map((hex) => `f${hex.slice(1)}`),
    traceState: text,
    parentSpanId: optionalId(8),
    name: text,
    kind: fc.integer({ min: -2, max: 7 }),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    droppedAttributesCount: fc.nat(),
    events: fc.array(fc.record({ timeUnixNano: time, name: text, attributes }, { requiredKeys: [] }), { maxLength: 3 }),
    links: fc.array(
      fc.record({ traceId: optionalId(16), spanId: optionalId(8), traceState: text, attributes }, { requiredKeys: [] }),
      { maxLength: 3 },
    ),
    status: fc.record({ message: text, code: fc.integer({ min: -1, max: 4 }) }, { requiredKeys: [] }),
    flags: fc.nat(),
  },
  { requiredKeys: ['traceId', 'spanId', 'name', 'startTimeUnixNano', 'endTimeUnixNano'] },
)

/** A valid request with any values. */
export const request: fc.Arbitrary<RequestJson> = fc.record({
  resourceSpans: fc.array(
    fc.record(
      {
        resource: fc.record({ attributes }, { requiredKeys: [] }),
        schemaUrl: text,
        scopeSpans: fc.array(
          fc.record(
            {
              scope: fc.record({ name: text, version: text, attributes }, { requiredKeys: [] }),
              schemaUrl: text,
              spans: fc.array(span, { maxLength: 4 }),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
})
