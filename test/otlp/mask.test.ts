import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { receive, type Encoding } from '../../src/otlp/index.js'
import { maskRequest } from '../../src/otlp/mask/mask-request.js'
import { request as arbitraryRequest } from './arbitrary-request.js'
import {
  encodeRequest,
  type AnyValueJson,
  type KeyValueJson,
  type RequestJson,
  type SpanJson,
} from './encode-request.js'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const MASK = '[REDACTED]'

const span = (changes: Partial<SpanJson> = {}): SpanJson => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'span',
  startTimeUnixNano: '5',
  endTimeUnixNano: '6',
  ...changes,
})
const text = (stringValue: string): AnyValueJson => ({ stringValue })
const attribute = (key: string, value: AnyValueJson): KeyValueJson => ({ key, value })
const request = (
  changes: Partial<SpanJson>,
  resource: KeyValueJson[] = [],
  scope: KeyValueJson[] = [],
): RequestJson => ({
  resourceSpans: [
    { resource: { attributes: resource }, scopeSpans: [{ scope: { attributes: scope }, spans: [span(changes)] }] },
  ],
})
const encode = (encoding: Encoding, body: RequestJson): Uint8Array =>
  encoding === 'json' ? Buffer.from(JSON.stringify(body)) : encodeRequest(body)
const listed = (...keys: string[]): KeyValueJson =>
  attribute('planspan.redacted_fields', { arrayValue: { values: keys.map(text) } })

const CASES: readonly (readonly [string, sent: RequestJson, stored: RequestJson])[] = [
  ['its name', request({ name: TOKEN }), request({ name: MASK, attributes: [listed('name')] })],
  [
    'its status',
    request({ status: { code: 2, message: `no access with ${TOKEN}` } }),
    request({ status: { code: 2, message: `no access with ${MASK}` }, attributes: [listed('status.message')] }),
  ],
  [
    'an attribute, by its key and by its looks',
    request({
      attributes: [
        attribute('password', text('rosebud7')),
        attribute('a', text(TOKEN)),
        attribute('b', { intValue: '7' }),
      ],
    }),
    request({
      attributes: [
        attribute('password', text(MASK)),
        attribute('a', text(MASK)),
        attribute('b', { intValue: '7' }),
        listed('password', 'a'),
      ],
    }),
  ],
  [
    'a map in a map',
    request({
      attributes: [
        attribute('args', {
          kvlistValue: {
            values: [
              attribute('n', { doubleValue: 0.5 }),
              attribute('in', { kvlistValue: { values: [attribute('api_key', text('q1w2e3r4t5'))] } }),
            ],
          },
        }),
      ],
    }),
    request({
      attributes: [
        attribute('args', {
          kvlistValue: {
            values: [
              attribute('n', { doubleValue: 0.5 }),
              attribute('in', { kvlistValue: { values: [attribute('api_key', text(MASK))] } }),
            ],
          },
        }),
        listed('args'),
      ],
    }),
  ],
  [
    'a list, for what stands before it',
    request({
      attributes: [
        attribute('process.command_args', {
          arrayValue: { values: [text('login'), text('--password'), text('rosebud7'), { boolValue: true }] },
        }),
      ],
    }),
    request({
      attributes: [
        attribute('process.command_args', {
          arrayValue: { values: [text('login'), text('--password'), text(MASK), { boolValue: true }] },
        }),
        listed('process.command_args'),
      ],
    }),
  ],
  [
    'an event and a link',
    request({
      events: [{ name: 'e', attributes: [attribute('exception.message', text(TOKEN))] }],
      links: [{ attributes: [attribute('l', text(TOKEN))] }],
    }),
    request({
      events: [{ name: 'e', attributes: [attribute('exception.message', text(MASK))] }],
      links: [{ attributes: [attribute('l', text(MASK))] }],
      attributes: [listed('exception.message', 'l')],
    }),
  ],
  [
    'its resource and scope',
    request(
      {},
      [attribute('process.command_line', text(`x --token ${TOKEN}`))],
      [attribute('secret', text('rosebud7'))],
    ),
    request({}, [attribute('process.command_line', text(`x --token ${MASK}`))], [attribute('secret', text(MASK))]),
  ],
  [
    'what it lists as masked already',
    request({ attributes: [listed('before'), attribute('a', text(TOKEN))] }),
    request({ attributes: [listed('before', 'a'), attribute('a', text(MASK))] }),
  ],
]

describe.each(['json', 'protobuf'] as const)('masking secrets in a request, %s', (encoding) => {
  it.each(CASES)('masks %s', (_, sent, stored) => {
    const masked = receive(encoding, encode(encoding, sent), { redact: true })
    const expected = receive(encoding, encode(encoding, stored))
    if (!masked.ok || !expected.ok) throw new Error('They are requests.')
    const bodies = [masked, expected].map(({ request: { body } }) => Buffer.from(body).toString('latin1'))
    expect(bodies[0]).toBe(bodies[1])
  })

  it('masks only what the options include', () => {
    const body = encode(encoding, request({ name: TOKEN }))
    const result = receive(encoding, body)
    expect(result.ok && result.request.body).toBe(body)
  })

  it('does not treat NaN, which equals nothing, as a secret', () => {
    const nan: AnyValueJson = { doubleValue: 'NaN' }
    const attributes = [attribute('a', nan), attribute('b', { arrayValue: { values: [nan] } })]
    const body = encode(encoding, request({ attributes }))
    expect(maskRequest(encoding, body)).toBe(body)
  })

  it('changes nothing in a request without secrets, whatever its content', () => {
    fc.assert(
      fc.property(arbitraryRequest, (sent) => {
        const body = encode(encoding, sent)
        fc.pre(receive(encoding, body).ok)
        const masked = maskRequest(encoding, body)
        fc.pre(!Buffer.from(masked).includes(MASK))
        expect(masked).toBe(body)
      }),
    )
  })
})

describe('parts that are not attributes', () => {
  const body = {
    resource_spans: [
      {
        scope_spans: [
          {
            scope: { name: `lib ${TOKEN}` },
            spans: [
              { ...span(), trace_state: `v=${TOKEN}`, links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }] },
            ],
          },
        ],
      },
    ],
  }

  it('masks the scope and the trace state, also under keys in snake case', () => {
    const masked = new TextDecoder().decode(maskRequest('json', Buffer.from(JSON.stringify(body))))
    expect(masked).not.toContain(TOKEN)
    expect(masked).toContain(`lib ${MASK}`)
  })

  it('masks the key of an attribute', () => {
    const sent = request({ attributes: [attribute(`key ${TOKEN}`, text('x'))] })
    for (const encoding of ['json', 'protobuf'] as const) {
      const masked = Buffer.from(maskRequest(encoding, encode(encoding, sent))).toString()
      expect(masked).not.toContain(TOKEN)
      expect(masked).toContain(`key ${MASK}`)
    }
  })
})
