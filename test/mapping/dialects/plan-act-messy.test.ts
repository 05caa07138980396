import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type DialectName } from '../../../src/mapping/index.js'
import { jsonSpace, jsonText } from '../../support/arbitrary-json.js'
import { verdictBesidesTimes } from '../../support/verdict-besides-times.js'

const encodeOne = (text: string, format: DialectName) => [...encodeRecords(new TextEncoder().encode(text), { format })]

const TYPES = 'title message plan step tool error done wait skill status_update constructor'
const type = fc.constantFrom(...TYPES.split(' '), '')

const member = (key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(jsonSpace, jsonSpace, value, jsonSpace).map(([a, b, text, c]) => `${a}"${key}"${b}:${text}${c}`)

const word = fc.constantFrom(
  '"calling"',
  '"called"',
  '"running"',
  '"completed"',
  '"failed"',
  '"created"',
  '"started"',
  '"constructor"',
)

const KEYS = `id timestamp event_id title role message content attachments plan steps step status description result
  error success goal language tool_call_id tool_name name tool_content function_name function function_args args
  function_result brief x`.split(/\s+/)

const value = (depth: number): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: word, weight: 3 },
    { arbitrary: fc.constantFrom('"1"', '"call"', '"user"', '"assistant"', 'null', '""', '[]', '{}'), weight: 3 },
    {
      arbitrary: fc.constantFrom('"2026-11-22T00:00:56.012718"', '1795305656', '"1795305656012-0"', '-5', '1e400'),
      weight: 2,
    },
    jsonText('any'),
    ...(depth > 0
      ? [
          { arbitrary: messyObject(depth - 1), weight: 3 },
          {
            arbitrary: fc.array(messyObject(depth - 1), { maxLength: 2 }).map((items) => `[${items.join(', ')}]`),
            weight: 2,
          },
        ]
      : []),
  )

function messyObject(depth: number, first: readonly string[] = []): fc.Arbitrary<string> {
  return fc
    .array(
      fc.constantFrom(...KEYS).chain((key) => member(key, value(depth))),
      { maxLength: 7 },
    )
    .map((members) => `{${[...first, ...members].join(',')}}`)
}

const data = type.chain((name) => messyObject(2, [`"type":"${name}"`]))
const named = fc.oneof(
  fc.tuple(type, messyObject(2)).map(([name, body]) => `{"event":"${name}","data":${body}}`),
  fc.tuple(type, messyObject(1)).map(([name, body]) => `{"data":${body}, "event" : "${name}"}`),
)
const line = fc.oneof(
  { arbitrary: data, weight: 3 },
  { arbitrary: fc.tuple(value(0), data).map(([id, body]) => `{"id":${id},"data":${body}}`), weight: 4 },
  { arbitrary: named.map((frame) => `{"type":"event","session_id":"s",${frame.slice(1)}`), weight: 3 },
  jsonText('any'),
)
const lines = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '\n\n', ' \n')), { minLength: 1, maxLength: 8 })
  .map((items) => items.map((item) => item.join('')).join(''))

const oneLine = (text: string): string => text.replaceAll(/[\r\n]/g, '')
const frame = fc.oneof(
  {
    arbitrary: fc.tuple(type, messyObject(2)).map(([name, body]) => ['event: ' + name, `data: ${oneLine(body)}`]),
    weight: 5,
  },
  fc.tuple(type, jsonText('any')).map(([name, body]) => [`id: 7`, `data:${oneLine(body)}`, `event:${name}`]),
  fc.constantFrom([': ping - 2026-11-22 00:00:56.123456+00:00'], [':'], ['retry: 5'], [': a', 'event: done']),
)
const stream = fc
  .array(fc.tuple(frame, fc.constantFrom('\r\n', '\r\n', '\n'), fc.constantFrom('', '\n')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((frames) => frames.map(([fields, end, more]) => `${fields.join(end)}${end}${end}${more}`).join(''))

const document = fc
  .tuple(
    fc.array(fc.oneof({ arbitrary: named, weight: 5 }, jsonText('any')), { maxLength: 6 }),
    fc.array(
      fc.constantFrom('title', 'status', 'is_shared', 'code', 'events').chain((key) => member(key, value(0))),
      {
        maxLength: 3,
      },
    ),
    jsonSpace,
  )
  .map(
    ([events, rest, space]) =>
      `${space}{"code":0,"data":{"session_id":"s",${[`"events":[${events.join(',')}]`, ...rest].join(',')}}${space}}`,
  )

describe('an unusual session', () => {
  test.each([
    ['lines', 'plan-act:events', lines],
    ['an event stream', 'plan-act:sse', stream],
    ['a session document', 'plan-act:session', document],
  ] as const)('is rebuilt byte for byte as %s', (_, format, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const [record] = encodeOne(text, format)
        const decoded = decodeRecord(record!.spans.map(toStoredSpan))
        expect(decoded?.text).toBe(text)
        expect(verdictBesidesTimes(decoded)).toBe('complete')
      }),
      { numRuns: 90 },
    )
  })
})
