import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { messyRecord } from '../../support/messy-records.js'
import { verdictBesidesTimes } from '../../support/verdict-besides-times.js'

const encodeAll = (text: string) => [...encodeRecords(new TextEncoder().encode(text))]

describe('an unusual record', () => {
  test('is rebuilt byte for byte, too', () => {
    fc.assert(
      fc.property(messyRecord, (text) => {
        const [record] = encodeAll(text)
        const decoded = decodeRecord(record!.spans.map(toStoredSpan))
        expect(decoded?.text).toBe(text)
        expect(verdictBesidesTimes(decoded)).toBe('complete')
      }),
      { numRuns: 500 },
    )
  })

  test('has only attributes that OTLP can carry', () => {
    fc.assert(
      fc.property(messyRecord, (text) => {
        for (const { spans } of encodeAll(text)) {
          for (const span of spans) {
            for (const value of Object.values(span.attributes)) {
              expect(['string', 'number', 'boolean', 'object']).toContain(typeof value)
              if (typeof value === 'string') expect(Buffer.from(value, 'utf8').toString('utf8')).toBe(value)
              if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
            }
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('a file of several records', () => {
  const one = '{"planId":"a","userRequest":"r"}'
  const two = '{\n  "planId": "b",\n  "userRequest": "r"\n}'

  test.each([
    ['one line each', [`${one}\n`, `${one}\n`]],
    ['without a terminator at the end', [`${one}\r\n`, two]],
    ['with blank lines between and after', [`${one}\n`, `\n\n${two}\n\n \n`]],
    ['on one line', [one, `${one}\n`]],
    ['behind a byte order mark', [`\uFEFF${one}\n`, one]],
  ])('%s is rebuilt byte for byte', (_, texts) => {
    const records = encodeAll(texts.join(''))
    expect(records.map(({ text }) => text)).toEqual(texts)
    expect(records.map(({ spans }) => decodeRecord(spans.map(toStoredSpan))?.text)).toEqual(texts)
  })
})

describe('a malformed record', () => {
  test.each([
    ['', 'invalid_record', 'The file is empty'],
    ['{"planId":"a",', 'invalid_record', 'Not JSON: expected a key in double quotes, line 1, column 15.'],
    ['{"hello":1,"world":2}', 'unknown_dialect', 'an object with the keys "hello", "world". Known: plan-execution'],
    ['[]', 'unknown_dialect', 'a JSON array'],
    ['{"planId":"a","userRequest":"r"}\nnonsense', 'invalid_record', 'line 2, column 1'],
  ])('%j is rejected with a message that explains it', (text, code, message) => {
    expect(() => encodeAll(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
  })

  test('in bytes that are not UTF-8 is rejected', () => {
    expect(() => [...encodeRecords(Uint8Array.of(0x7b, 0xff, 0x7d))]).toThrow('Not UTF-8')
  })

  test('with an unknown time zone is rejected', () => {
    const bytes = new TextEncoder().encode('{}')
    expect(() => [...encodeRecords(bytes, { timeZone: 'Mars/Olympus' })]).toThrow('Unknown time zone "Mars/Olympus"')
  })

  test('keeps a value that no attribute can carry in the residual', () => {
    const [record] = encodeAll('{"planId":"a","userRequest":"r","title":7}')
    expect(record!.spans[0]!.attributes[ATTR.residual]).toBe('{"deviations":[["set","/title","7"]]}')
  })
})

describe('an id', () => {
  const bytesOf = (record: object) => Buffer.from(JSON.stringify(record))
  const longest = 'x'.repeat(65_536)

  test('of 65,536 characters is valid', () => {
    const plan = { planId: longest, userRequest: 'r', agentExecutionSequence: [{ stepId: longest }] }
    expect([...encodeRecords(bytesOf(plan))][0]!.planId).toBe(longest)
  })

  test.each([
    ['planId', { planId: `${longest}x`, userRequest: 'r' }],
    ['rootPlanId', { planId: 'p', rootPlanId: `${longest}x`, userRequest: 'r' }],
    ['stepId', { planId: 'p', userRequest: 'r', agentExecutionSequence: [{ stepId: `${longest}x` }] }],
  ])('that is longer is an error: %s', (_, record) => {
    expect(() => [...encodeRecords(bytesOf(record))]).toThrow(
      /^The \w+ "x{20}…" has 65537 characters; at most 65536 are allowed\. Shorten it\.$/,
    )
  })
})
