import { create, fromBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { Span_EventSchema, Span_LinkSchema, SpanKind, SpanSchema, StatusCode } from '../../../src/otlp/trace_pb.js'
import { ATTR } from '../../../src/semconv/index.js'
import { encodeSpan } from '../../../src/server/jaeger/encode-span.js'
import type { FinalSpan } from '../../../src/store/index.js'

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString('hex'))
/** Short and long texts, ASCII and not, whole and with lone halves of surrogate pairs. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    'x'.repeat(63),
    'x'.repeat(64),
    'ü'.repeat(64),
    'y'.repeat(20_000),
    '計'.repeat(70_000),
    '\ud83d!',
  ),
)
const texts = fc.dictionary(text, text, { maxKeys: 6 })
const time = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })

const span = (): fc.Arbitrary<FinalSpan> =>
  fc.record({
    traceId: hex(16),
    spanId: hex(8),
    parentSpanId: fc.oneof(hex(8), fc.constant('')),
    traceState: text,
    name: text,
    kind: fc.constantFrom('Internal', 'Client', 'Server', 'Producer', 'Consumer', 'Unspecified', ''),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    statusCode: fc.constantFrom('UNSET', 'OK', 'ERROR'),
    statusMessage: fc.string({ unit: 'grapheme', maxLength: 100 }),
    attributes: texts,
    events: fc.array(fc.record({ timeUnixNano: time, name: text, attributes: texts }), { maxLength: 3 }),
    links: fc.array(fc.record({ traceId: hex(16), spanId: hex(8), attributes: texts }), { maxLength: 3 }),
    serviceName: fc.constant('agent'),
    scopeName: fc.constant('planspan'),
    scopeVersion: fc.constant('1'),
    resourceAttributes: fc.constant({}),
  })

const example: FinalSpan = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: '',
  traceState: '',
  name: 'run_guardrail safepred',
  kind: 'Internal',
  startTimeUnixNano: 1n,
  endTimeUnixNano: 2n,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes: {},
  events: [],
  links: [],
  serviceName: 'agent',
  scopeName: 'planspan',
  scopeVersion: '1',
  resourceAttributes: {},
}

const bytes = (digits: string) => new Uint8Array(Buffer.from(digits, 'hex'))
const keyValues = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key: key.toWellFormed(),
    value: { value: { case: 'stringValue' as const, value: value.toWellFormed() } },
  }))
const kindOf = (kind: string) => SpanKind[(kind.toUpperCase() || 'UNSPECIFIED') as keyof typeof SpanKind]

const decoded = (one: FinalSpan) => fromBinary(SpanSchema, encodeSpan(one))
const attributesOf = (one: FinalSpan) =>
  new Map(decoded(one).attributes.map(({ key, value }) => [key, value?.value] as const))
const list = (...items: string[]) => ({
  case: 'arrayValue',
  value: expect.objectContaining({
    values: items.map((value) => expect.objectContaining({ value: { case: 'stringValue', value } })),
  }),
})

it('writes what protobuf-es reads, for any span', () => {
  fc.assert(
    fc.property(span(), (one) => {
      const { events, links } = one
      expect(decoded(one)).toEqual(
        create(SpanSchema, {
          traceId: bytes(one.traceId),
          spanId: bytes(one.spanId),
          parentSpanId: bytes(one.parentSpanId),
          traceState: one.traceState.toWellFormed(),
          name: one.name.toWellFormed(),
          kind: kindOf(one.kind),
          startTimeUnixNano: one.startTimeUnixNano,
          endTimeUnixNano: one.endTimeUnixNano,
          attributes: keyValues(one.attributes),
          events: events.map(({ timeUnixNano, name, attributes }) =>
            create(Span_EventSchema, { timeUnixNano, name: name.toWellFormed(), attributes: keyValues(attributes) }),
          ),
          links: links.map(({ traceId, spanId, attributes }) =>
            create(Span_LinkSchema, {
              traceId: bytes(traceId),
              spanId: bytes(spanId),
              attributes: keyValues(attributes),
            }),
          ),
          status: { code: StatusCode[one.statusCode], message: one.statusMessage.toWellFormed() },
        }),
      )
    }),
    { numRuns: 200 },
  )
})

it('writes integers exactly, up to both ends of 64 bits', () => {
  const value = (number: string) => attributesOf({ ...example, attributes: { [ATTR.seq]: number } }).get(ATTR.seq)
  for (const number of ['0', '-1', '127', '128', '9223372036854775807', '-9223372036854775808']) {
    expect(value(number)).toEqual({ case: 'intValue', value: BigInt(number) })
  }
  expect(value('9223372036854775808')).toEqual({ case: 'stringValue', value: '9223372036854775808' })
})

it('omits malformed ids, for which Jaeger would reject the trace', () => {
  for (const id of ['', 'abc', 'z'.repeat(16), 'b'.repeat(18)]) {
    const { spanId, parentSpanId, name } = decoded({ ...example, spanId: id, parentSpanId: id })
    expect([spanId, parentSpanId, name]).toEqual([new Uint8Array(), new Uint8Array(), example.name])
  }
})

describe('marks', () => {
  const marks = (one: Partial<FinalSpan>) => {
    const attributes = attributesOf({ ...example, ...one })
    return [attributes.get('@jaeger@warnings'), attributes.get('error')]
  }
  const yes = { case: 'boolValue', value: true }

  it.each([
    [{ taken: false, tool: 'pay' }, 'This guardrail stopped pay.'],
    [{ taken: false, tool: '' }, 'This guardrail stopped an action.'],
    [{ taken: true, tool: 'pay' }, 'A risk was taken: pay ran although this guardrail found it unsafe.'],
    [{ taken: true, tool: '' }, 'A risk was taken: an action ran although this guardrail found it unsafe.'],
  ])('report the outcome of an unsafe action: %o', (unsafeAction, warning) => {
    expect(marks({ unsafeAction })).toEqual([list(warning), yes])
  })

  it('are absent from other spans', () => {
    expect(marks({})).toEqual([undefined, undefined])
  })

  it('leave the error mark to Jaeger, and are kept beside the mark of truncated texts', () => {
    const unsafeAction = { taken: false, tool: 'pay' }
    const [warnings, error] = marks({ unsafeAction, statusCode: 'ERROR', attributes: { page: 'x'.repeat(4_000_000) } })
    expect(warnings).toEqual(
      list('This guardrail stopped pay.', expect.stringMatching(/^Too large for Jaeger: .* 100000 characters are/)),
    )
    expect(error).toBeUndefined()
  })
})
