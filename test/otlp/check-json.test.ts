import { describe, expect, it } from 'vitest'

import { checkJson } from '../../src/otlp/check-json.js'

const IDS = '"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"'
const spans = (...all: string[]) =>
  `{"resourceSpans":[{"scopeSpans":[{"spans":[${all.map((span) => `{${span}}`).join()}]}]}]}`
const span = (members = '') => spans(members === '' ? IDS : `${IDS},${members}`)
const value = (member: string) => span(`"attributes":[{"key":"k","value":{${member}}}]`)

const check = (body: string | Uint8Array, refuseBefore?: bigint) => {
  const result = checkJson(Buffer.from(body), { refuseBefore })
  return result.ok ? result.request : result.message
}

describe('a JSON body', () => {
  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['an open bracket', '{"resourceSpans":['],
    ['a bracket of the wrong kind', '{"resourceSpans":[}]'],
    ['a comma behind the last member', '{"resourceSpans":[],}'],
    ['a comma behind the last element', '{"resourceSpans":[{},]}'],
    ['no comma', '{"a":1 "b":2}'],
    ['a key without quotes', '{a:1}'],
    ['a second document', '{}{}'],
    ['a byte order mark', '\uFEFF{}'],
    ['a comment', '{}//'],
    ['bytes that are not UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
    ['a control character in a string', '{"a":"\n"}'],
    ['an unknown escape', String.raw`{"a":"\x"}`],
    ['an escape cut off', String.raw`{"a":"\u12"}`],
    ['a number with a leading zero', '{"a":01}'],
    ['a number with a plus', '{"a":+1}'],
    ['a number without digits', '{"a":1.}'],
    ['NaN', '{"a":NaN}'],
    ['a literal misspelt', '{"a":nul}'],
    ['an object for an array', '{"resourceSpans":{}}'],
    ['a string for an object', '{"resourceSpans":["x"]}'],
    ['a number for a string', span('"name":1')],
    ['a string for a bool', value('"boolValue":"true"')],
    ['a fraction for an int', value('"intValue":1.5')],
    ['an exponent for an int', value('"intValue":1e3')],
    ['an int beyond 64 bits', value('"intValue":"9223372036854775808"')],
    ['an int beyond 64 bits as a number', value('"intValue":-9223372036854775809')],
    ['text for an int', value('"intValue":"x"')],
    ['a negative time', span('"startTimeUnixNano":"-1"')],
    ['a time beyond 64 bits', span('"startTimeUnixNano":18446744073709551616')],
    ['text for a double', value('"doubleValue":"x"')],
    ['a double that is too large', value('"doubleValue":1e999')],
    ['an unknown enum name', span('"kind":"SPAN_KIND_ROOT"')],
    ['a kind beyond 32 bits', span('"kind":2147483648')],
    ['url-safe base64', value('"bytesValue":"-_8="')],
    ['base64 without padding', value('"bytesValue":"AP8"')],
    ['flags beyond 32 bits', span('"flags":4294967296')],
    ['values nested too deep', value(`${'"arrayValue":{"values":[{'.repeat(300)}${'}]}'.repeat(300)}`)],
    ['unknown members nested too deep', `{"x":${'['.repeat(2000)}${']'.repeat(2000)}}`],
  ])('is rejected with %s', (_, body) => {
    expect(check(body)).toMatch(/\.$/)
  })

  it.each<[string, string, number]>([
    ['no spans', '{}', 0],
    ['white space', ' \r\n\t{ "resourceSpans" : [ ] } \n', 0],
    ['a span', span(), 1],
    ['unknown members', span('"x":{"a":[1,-2.5e3,"é",true,false,null]},"resourceSpans":7'), 1],
    [
      '64-bit numbers as text and as numbers',
      span('"startTimeUnixNano":"1763800000000001000","endTimeUnixNano":1763800000000001000'),
      1,
    ],
    ['escapes', span(String.raw`"name":"\"\\\/\b\f\n\r\té😀"`), 1],
    ['plain values', value('"doubleValue":-0.5e-3'), 1],
    ['a negative int', value('"intValue":-7'), 1],
    ['empty ids of links', span('"parentSpanId":"","links":[{"traceId":"","spanId":""}]'), 1],
  ])('with %s is accepted unchanged', (_, body, spanCount) => {
    expect(check(body)).toMatchObject({ spanCount, refused: new Map(), values: [], marks: [] })
  })

  it.each<[string, string, string | undefined]>([
    ['no ids', '"name":"x"', 'trace id'],
    ['a trace id in base64', '"traceId":"CvdlGRbNQ92ESOshHIAxnA==","spanId":"b7ad6b7169203331"', 'trace id'],
    ['a trace id that is not hex', `"traceId":"${'g'.repeat(32)}","spanId":"b7ad6b7169203331"`, 'trace id'],
    ['a span id of zeros', `"traceId":"${'a'.repeat(32)}","spanId":"0000000000000000"`, 'span id'],
    ['a parent id too short', `${IDS},"parentSpanId":"ab"`, 'parentSpanId'],
    ['a link that is not hex', `${IDS},"links":[{"traceId":"zz"}]`, 'traceId'],
    ['a time beyond 2262', `${IDS},"endTimeUnixNano":"9223372036854775808"`, '2262'],
    ['a start before the retention', `${IDS},"startTimeUnixNano":"99"`, 'retention'],
    ['a start at the retention', `${IDS},"startTimeUnixNano":100`, undefined],
  ])('rejects a span with %s, and no other', (_, odd, reason) => {
    const good = `${IDS},"startTimeUnixNano":"100"`
    const refused = reason === undefined ? new Map() : new Map([[1, expect.stringContaining(reason)]])
    expect(check(spans(good, odd, good), 100n)).toMatchObject({ spanCount: 3, refused })
  })

  it.each<[string, string, 'values' | 'marks']>([
    ['an array', value('"arrayValue":{}'), 'values'],
    ['a map', value('"kvlistValue":{"values":[]}'), 'values'],
    ['bytes', value('"bytesValue":"AP8="'), 'values'],
    ['a double as text', value('"doubleValue":"NaN"'), 'values'],
    ['zero with a sign', value('"doubleValue":-0'), 'values'],
    ['a double from 1e21 on', value('"doubleValue":1e21'), 'values'],
    ['a double of 21 digits', value('"doubleValue":100000000000000000000'), 'values'],
    ['an int with a plus', value('"intValue":"+7"'), 'values'],
    ['half a surrogate pair in a value', value(String.raw`"stringValue":"\ud800"`), 'values'],
    ['two members of a oneof', value('"stringValue":"a","intValue":1'), 'values'],
    ['null for a value', span('"attributes":[{"key":"k","value":null}]'), 'values'],
    ['half a surrogate pair in a name', span(String.raw`"name":"\udc00\ud800"`), 'marks'],
    ['a key twice', span('"name":"a","name":"b"'), 'marks'],
    ['a key in snake case', span('"start_time_unix_nano":1'), 'marks'],
    ['a key with an escape', span(String.raw`"n\u0061me":"a"`), 'marks'],
    ['an enum name', span('"kind":"SPAN_KIND_SERVER"'), 'marks'],
    ['ids in upper case', spans(IDS.replace('af', 'AF')), 'marks'],
    ['a parent id of zeros', span('"parentSpanId":"0000000000000000"'), 'marks'],
    ['an event that stores nothing', span('"events":[{"droppedAttributesCount":1}]'), 'marks'],
    ['a link without members', span('"links":[{}]'), 'marks'],
    ['an attribute without a key', span('"attributes":[{"value":{}}]'), 'marks'],
    ['null for an object', span('"status":null'), 'marks'],
    ['null for an array', span('"attributes":null'), 'marks'],
    ['null for a string', span('"name":null'), 'marks'],
    ['an unknown number that is too large', span('"x":[1e999]'), 'marks'],
    ['an unknown integer beyond 64 bits', span('"x":18446744073709551616'), 'marks'],
  ])('with %s is rewritten', (_, body, where) => {
    const result = check(body)
    if (typeof result === 'string') throw new Error(result)
    expect({ values: result.values.length > 0, marks: result.marks.length > 0 }).toEqual({
      values: where === 'values',
      marks: where === 'marks',
    })
  })
})
