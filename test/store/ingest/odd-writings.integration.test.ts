import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { receive, type Encoding } from '../../../src/otlp/index.js'
import { attribute, bytes, field, inScope, request, SPAN_ID, TRACE_ID } from '../../otlp/protobuf-bytes.js'
import { freshLanding, type Landing } from './landing.js'

let landing: Landing
beforeEach(async () => {
  landing = await freshLanding()
})
afterEach(() => landing.drop())

/** Some of the 22 columns, in the order of `values()`. */
const COLUMN = {
  parent: 3,
  name: 5,
  kind: 6,
  service: 7,
  scope: 9,
  attributes: 11,
  code: 13,
  message: 14,
  linkIds: 18,
} as const

type Expected = Partial<Record<keyof typeof COLUMN, unknown>>

async function store(encoding: Encoding, bodies: readonly Uint8Array[]): Promise<unknown[][]> {
  const writer = landing.writer()
  const written = bodies.map((body) => {
    const received = receive(encoding, body)
    if (!received.ok) throw new Error(received.message)
    return writer.write(received.request)
  })
  for (const { errorMessage } of await Promise.all(written)) expect(errorMessage).toBe('')
  return landing.values()
}

const pick = (row: unknown[] | undefined, expected: Expected): Expected =>
  Object.fromEntries(Object.keys(expected).map((name) => [name, row?.[COLUMN[name as keyof typeof COLUMN]]]))

const ids = (...parts: (Buffer | number)[]) => [TRACE_ID, SPAN_ID, ...parts]
const negative = (tag: number, value: bigint) => {
  const out: number[] = [tag]
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    out.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    if (rest <= 0x7fn) return Buffer.from(out)
  }
}

const PROTOBUF: readonly (readonly [string, Buffer, Expected])[] = [
  ['a name written twice', request(...ids(field(5, 'first'), field(5, 'last'))), { name: 'last' }],
  [
    'a status in two pieces',
    request(...ids(field(15, field(2, 'why')), field(15, bytes(3 << 3, 2)))),
    { code: 'Error', message: 'why' },
  ],
  [
    'a value in two pieces',
    request(...ids(field(9, field(1, 'k'), field(2, field(1, 'x')), field(2, bytes(3 << 3, 7))))),
    { attributes: [['k', '7']] },
  ],
  [
    'two members of a oneof',
    request(...ids(attribute(field(1, 'x'), bytes(2 << 3, 0)))),
    { attributes: [['k', 'false']] },
  ],
  ['a bool of 2', request(...ids(attribute(bytes(2 << 3, 2)))), { attributes: [['k', 'true']] }],
  [
    'a key behind its value',
    request(...ids(field(9, field(2, field(1, 'x')), field(1, 'k')))),
    { attributes: [['k', 'x']] },
  ],
  ['an attribute without a key', request(...ids(field(9, field(2, field(1, 'x'))))), { attributes: [['', 'x']] }],
  ['an attribute without a value', request(...ids(field(9, field(1, 'k')))), { attributes: [['k', '']] }],
  ['the ids last', request(field(5, 'n'), SPAN_ID, TRACE_ID), { name: 'n' }],
  ['a parent id of zeros', request(...ids(field(4, Buffer.alloc(8)))), { parent: '' }],
  ['a link without ids', request(...ids(field(13), field(13, field(1, Buffer.alloc(16))))), { linkIds: ['', ''] }],
  ['a negative kind', request(...ids(negative(6 << 3, -5n))), { kind: '' }],
  ['a kind beyond 32 bits', request(...ids(negative(6 << 3, 2n ** 32n + 2n))), { kind: 'Server' }],
  [
    'unknown fields',
    request(...ids(bytes(0xa0, 6, 1), bytes(0xfa, 1, 1, 0xff), bytes(0xfd, 1, 0, 0, 0, 0), field(5, 'n'))),
    { name: 'n' },
  ],
  [
    'a tag and a length longer than they need be',
    request(...ids(bytes(0xaa, 0x00, 0x81, 0x80, 0x00, 'n'))),
    { name: 'n' },
  ],
  ['a negative int', request(...ids(attribute(negative(3 << 3, -7n)))), { attributes: [['k', '-7']] }],
  [
    'an int of more than 64 bits',
    request(...ids(attribute(bytes(3 << 3, ...Array<number>(9).fill(0xff), 0x7f)))),
    { attributes: [['k', '-1']] },
  ],
  [
    'a resource in two pieces around its spans',
    field(
      1,
      field(1, field(1, field(1, 'service.name'), field(2, field(1, 'a')))),
      field(2, field(2, ...ids())),
      field(1, field(1, field(1, 'x'), field(2))),
    ),
    { service: 'a' },
  ],
  [
    'a scope behind its spans, in two pieces',
    inScope(field(1, field(1, 'a')), field(2, ...ids()), field(1, field(1, 'b'))),
    { scope: 'b' },
  ],
  [
    'an unknown field 2047, where the receiver puts its count',
    bytes(request(...ids(field(5, 'n'))), 0xf8, 0x7f, 99),
    { name: 'n' },
  ],
]

const JSON_IDS = '"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"'
const inSpan = (members: string) => `{"resourceSpans":[{"scopeSpans":[{"spans":[{${JSON_IDS},${members}}]}]}]}`
const inValue = (member: string) => inSpan(`"attributes":[{"key":"k","value":{${member}}}]`)

const JSON_BODIES: readonly (readonly [string, string, Expected])[] = [
  ['a key twice', inSpan('"name":"first","name":"last"'), { name: 'last' }],
  ['snake case', inSpan('"parent_span_id":"00f067aa0ba902b7"'), { parent: '00f067aa0ba902b7' }],
  ['an enum name', inSpan('"kind":"SPAN_KIND_PRODUCER"'), { kind: 'Producer' }],
  ['a kind as text', inSpan('"status":{"code":"STATUS_CODE_OK"}'), { code: 'Ok' }],
  [
    'escapes in keys and values',
    inSpan(String.raw`"n\u0061me":"\u00e9\ud83d\ude00\ud83d\/\u0000"`),
    { name: 'é😀\uFFFD/\0' },
  ],
  [
    'unknown members that no parser likes',
    inSpan('"x":[1e999,123456789012345678901234567890],"name":"n"'),
    { name: 'n' },
  ],
  [
    'nulls',
    inSpan('"name":null,"attributes":null,"status":null,"links":[null],"kind":null'),
    { name: '', attributes: [], code: 'Unset', linkIds: [''] },
  ],
  [
    'elements without members',
    inSpan('"links":[{},{"flags":1}],"attributes":[{},{"value":{}}]'),
    {
      linkIds: ['', ''],
      attributes: [
        ['', ''],
        ['', ''],
      ],
    },
  ],
  ['an int as a number', inValue('"intValue":9223372036854775807'), { attributes: [['k', '9223372036854775807']] }],
  [
    'the least int as a number',
    inValue('"intValue":-9223372036854775808'),
    { attributes: [['k', '-9223372036854775808']] },
  ],
  ['a double as an integer', inValue('"doubleValue":9007199254740993'), { attributes: [['k', '9007199254740992']] }],
  [
    'a double of 20 digits',
    inValue('"doubleValue":18446744073709551616'),
    { attributes: [['k', '18446744073709552000']] },
  ],
  ['a negative double', inValue('"doubleValue":-1.5e-7'), { attributes: [['k', '-1.5e-7']] }],
  ['zero with a sign', inValue('"doubleValue":-0.0'), { attributes: [['k', '-0']] }],
  ['a double too small', inValue('"doubleValue":1e-999'), { attributes: [['k', '0']] }],
  [
    'a double with many digits',
    inValue(`"doubleValue":0.${'1'.repeat(400)}`),
    { attributes: [['k', '0.1111111111111111']] },
  ],
  ['two values', inValue('"intValue":"1","stringValue":"x"'), { attributes: [['k', 'x']] }],
  ['white space everywhere', inSpan(' "name" \n: "n" ,\t"kind" :\r 2 '), { name: 'n', kind: 'Server' }],
]

const CASES = {
  protobuf: PROTOBUF,
  json: JSON_BODIES.map(([name, body, expected]) => [name, Buffer.from(body), expected] as const),
}

/** A body with its own trace id, since spans with the same id would be merged. */
function ofTrace(body: Buffer, index: number, encoding: Encoding): Buffer {
  const [id, last] =
    encoding === 'protobuf'
      ? [TRACE_ID.subarray(-16), Buffer.of(index)]
      : [Buffer.from('0af7651916cd43dd8448eb211c80319c'), Buffer.from(Buffer.of(index).toString('hex'))]
  const copy = Buffer.from(body)
  copy.set(last, copy.indexOf(id) + id.length - last.length)
  return copy
}

describe.each(['protobuf', 'json'] as const)('unusual encodings in %s', (encoding) => {
  it('are read as the collector reads them', async () => {
    for (const [name, body, expected] of CASES[encoding]) {
      await landing.command(`TRUNCATE TABLE ${landing.database}.otel_traces`)
      const rows = await store(encoding, [body])
      expect({ name, spans: rows.length, ...pick(rows[0], expected) }).toEqual({ name, spans: 1, ...expected })
    }
  })

  it('do not affect each other in one batch', async () => {
    expect(
      await store(
        encoding,
        CASES[encoding].map(([, body], index) => ofTrace(body, index, encoding)),
      ),
    ).toHaveLength(CASES[encoding].length)
  })
})
