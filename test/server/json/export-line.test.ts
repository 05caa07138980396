import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { PlanspanError } from '../../../src/error.js'
import type { DecodedRecord } from '../../../src/mapping/index.js'
import { exportLine } from '../../../src/server/json/export-line.js'
import type { ExportLine } from '../../../src/wire/index.js'

const of = { planId: 'p', traceId: 't', cursor: 'c', exact: false }
const record = (text: string): DecodedRecord => ({
  text,
  dialect: 'plan-execution',
  verdict: 'complete',
  missing: [],
  gaps: [],
  leftOut: [],
  state: 'completed',
  planId: 'p',
  traceId: 't',
  live: false,
})
const parsed = (line: string) => JSON.parse(line) as ExportLine

describe('the export line of a record', () => {
  test('is a single line with the same value, however the JSON is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', '  ', '\t'), fc.boolean(), (value, indent, isCrLf) => {
        const text = JSON.stringify(value, null, indent)
        const line = exportLine(record(isCrLf ? text.replaceAll('\n', '\r\n') : text), of)
        expect(line.match(/[\r\n]/g)).toEqual(['\n'])
        expect(line.endsWith('\n')).toBe(true)
        expect(parsed(line).record).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each(['{"a":1.0,"b":1e400,"c":12345678901234567890}', '{"a":  [1 , 2],"b":"\\u00fc"}'])(
    'keeps a single-line record as it is written: %s',
    (text) => {
      expect(exportLine(record(text), of)).toContain(`"record":${text}}\n`)
    },
  )

  test.each(['{"a": NaN}', '\uFEFF{"a":1}'])('returns %j as text, since JSON readers reject it', (text) => {
    expect(parsed(exportLine(record(text), of))).toMatchObject({ text })
  })

  test('returns the exact text on request and for dialects that are not a single document', () => {
    const text = '{\n  "a": 1\n}\n'
    expect(parsed(exportLine(record(text), { ...of, exact: true }))).toMatchObject({ text })
    const stream = 'data: {"a":1}\r\n\r\n'
    expect(parsed(exportLine({ ...record(stream), dialect: 'plan-act:sse' }, of))).toMatchObject({ text: stream })
  })

  test('reports how much is missing, or why there is no record', () => {
    const { missing } = parsed(exportLine({ ...record('{}'), verdict: 'partial', missing: ['a', 'b'] }, of))
    expect(missing).toBe(2)
    expect(parsed(exportLine(new PlanspanError('record_too_large', 'Too large.'), of))).toEqual({
      planId: 'p',
      traceId: 't',
      cursor: 'c',
      problem: { code: 'record_too_large', detail: 'Too large.' },
    })
  })
})
