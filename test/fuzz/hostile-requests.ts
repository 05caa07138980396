import fc from 'fast-check'

import { ATTR, ROLES } from '../../src/semconv/index.js'
import { request, text } from '../otlp/arbitrary-request.js'
import type { AnyValueJson, KeyValueJson, RequestJson, SpanJson } from '../otlp/encode-request.js'

const nanos = (seconds: bigint): string => String(seconds * 1_000_000_000n)

/** The limits of times: of 32 and 64 bits, of ClickHouse's DateTime and DateTime64, and common values. */
const time = fc.oneof(
  { arbitrary: fc.bigInt({ min: 1_763_800_000n, max: 1_763_890_000n }).map(nanos), weight: 5 },
  {
    arbitrary: fc.constantFrom(
      '0',
      '1',
      nanos(2n ** 31n),
      nanos(2n ** 32n - 1n),
      nanos(2n ** 32n),
      String(2n ** 63n - 1n),
      String(2n ** 63n),
      String(2n ** 64n - 1n),
    ),
    weight: 2,
  },
)

/** Ids of plans and steps that may break a path, a query, a limit or a parser. */
const hostileId = fc.oneof(
  fc.constantFrom(
    '.',
    '..',
    '',
    '/',
    '%2e%2e',
    '%',
    '?',
    '#',
    '\u0000',
    '\n',
    "'",
    '\\',
    '{}',
    '__proto__',
    'constructor',
  ),
  fc.constantFrom('a'.repeat(300), 'ü'.repeat(5_000), '\u{1F600}'.repeat(3_000)),
  fc.integer({ min: 0, max: 3 }).map((number) => `plan-${number}`),
  text,
)

const hostileText = fc.oneof(
  { arbitrary: hostileId, weight: 4 },
  fc.constantFrom('[]', '{}', '[[[', '{"a":', 'null', 'true', '-0', '1e999', 'NaN', '9'.repeat(400), '[{"id":1}]'),
  fc.constantFrom('completed', 'running', 'waiting', 'failed', 'nonsense'),
  fc.integer({ min: 1, max: 400 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.json({ maxDepth: 3 }),
)

const nested = (depth: number): AnyValueJson => {
  let value: AnyValueJson = { stringValue: 'deep' }
  for (let level = 0; level < depth; level++) {
    value = level % 2 === 0 ? { arrayValue: { values: [value] } } : { kvlistValue: { values: [{ key: 'k', value }] } }
  }
  return value
}

const value: fc.Arbitrary<AnyValueJson> = fc.oneof(
  { arbitrary: hostileText.map((stringValue) => ({ stringValue })), weight: 5 },
  fc.maxSafeInteger().map((number) => ({ intValue: String(number) })),
  fc.constantFrom({ intValue: String(2n ** 63n - 1n) }, { doubleValue: 'NaN' }, { doubleValue: 1e308 }, {}),
  fc.boolean().map((boolValue) => ({ boolValue })),
  fc.array(hostileText, { maxLength: 5 }).map((texts) => ({
    arrayValue: { values: texts.map((stringValue) => ({ stringValue })) },
  })),
  fc.integer({ min: 1, max: 200 }).map(nested),
)

/** Attributes of planspan's own conventions, with unexpected values. */
const ownAttributes: fc.Arbitrary<KeyValueJson[]> = fc
  .tuple(
    fc.constantFrom(...ROLES, 'nonsense'),
    hostileId,
    fc.array(fc.record({ key: fc.constantFrom(...Object.values(ATTR)), value }), { maxLength: 12 }),
  )
  .map(([role, planId, more]) => [
    { key: ATTR.spanKind, value: { stringValue: role } },
    { key: ATTR.planId, value: { stringValue: planId } },
    ...more,
  ])

const spanId = (number: number): string => number.toString(16).padStart(16, 'c')
const traceId = fc
  .uint8Array({ minLength: 15, maxLength: 15 })
  .map((bytes) => `e1${Buffer.from(bytes).toString('hex')}`)

const inRequest = (spans: SpanJson[]): RequestJson => ({
  resourceSpans: [
    { resource: { attributes: [{ key: 'service.name', value: { stringValue: 'fuzz' } }] }, scopeSpans: [{ spans }] },
  ],
})

/** A few spans of one trace that claim to be a plan: any of them may be the parent of any, even of itself. */
const plan: fc.Arbitrary<RequestJson> = fc
  .tuple(
    traceId,
    fc.array(
      fc.record({
        number: fc.nat(6),
        parent: fc.nat(7),
        start: time,
        end: time,
        attributes: ownAttributes,
        name: text,
      }),
      { minLength: 1, maxLength: 8 },
    ),
  )
  .map(([id, spans]) =>
    inRequest(
      spans.map(({ number, parent, start, end, attributes, name }) => ({
        traceId: id,
        spanId: spanId(number),
        parentSpanId: parent === 7 ? '' : spanId(parent),
        name,
        startTimeUnixNano: start,
        endTimeUnixNano: end,
        attributes,
      })),
    ),
  )

type Shape = (number: number) => { readonly parent: number; readonly role: string; readonly planId: string }

/** The roles between a plan and its sub-plan. */
const NESTING = ['plan', 'agent', 'think_act', 'tool']

const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.constantFrom(...ROLES).map((role): Shape => () => ({ parent: 0, role, planId: 'plan-0' })),
  fc.constantFrom(...ROLES).map((role): Shape => (number) => ({ parent: number - 1, role, planId: 'plan-0' })),
  fc.constantFrom(1, 2, 4).map((roles): Shape => (number) => ({
    parent: number - 1,
    role: NESTING[(number % roles) * (4 / roles)]!,
    planId: `plan-${Math.floor(number / roles)}`,
  })),
)

/** Many spans: siblings, a chain, or nested plans. */
const large: fc.Arbitrary<RequestJson> = fc
  .record({ id: traceId, count: fc.integer({ min: 50, max: 1_500 }), shape })
  .map(({ id, count, shape }) =>
    inRequest(
      Array.from({ length: count }, (_, number) => {
        const { parent, role, planId } = shape(number)
        return {
          traceId: id,
          spanId: spanId(number),
          parentSpanId: number === 0 ? '' : spanId(parent),
          name: role,
          startTimeUnixNano: nanos(1_763_800_000n),
          endTimeUnixNano: nanos(1_763_800_001n),
          attributes: [
            { key: ATTR.spanKind, value: { stringValue: number === 0 ? 'plan' : role } },
            { key: ATTR.planId, value: { stringValue: planId } },
          ],
        }
      }),
    ),
  )

/** A single span with a large amount of data. */
const heavy: fc.Arbitrary<RequestJson> = fc
  .record({
    id: traceId,
    attributes: fc.integer({ min: 0, max: 2_000 }),
    depth: fc.integer({ min: 0, max: 400 }),
    size: fc.nat(300_000),
  })
  .map(({ id, attributes, depth, size }) =>
    inRequest([
      {
        traceId: id,
        spanId: spanId(1),
        name: 'heavy',
        startTimeUnixNano: nanos(1_763_800_000n),
        endTimeUnixNano: nanos(1_763_800_001n),
        attributes: [
          ...Array.from({ length: attributes }, (_, number) => ({ key: `k${number}`, value: {} })),
          { key: 'deep', value: nested(depth) },
          { key: 'long', value: { stringValue: 'x'.repeat(size) } },
        ],
      },
    ]),
  )

/** A request that an OTLP encoder could write, whatever its spans mean. */
export const hostileRequest: fc.Arbitrary<RequestJson> = fc.oneof(
  { arbitrary: plan, weight: 4 },
  { arbitrary: request, weight: 2 },
  { arbitrary: large, weight: 2 },
  { arbitrary: heavy, weight: 1 },
)
