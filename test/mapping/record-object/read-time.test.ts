import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, isoOf, toStoredSpan } from '../../../src/mapping/index.js'

const AT = '2025-12-30T10:26:02.000Z'

/** A time in each form that one of the systems writes. */
const FORMS: readonly (readonly [form: string, json: string])[] = [
  ['ISO without a zone', '"2025-12-30T10:26:02"'],
  ['ISO with a space', '"2025-12-30 10:26:02"'],
  ['ISO in UTC', '"2025-12-30T10:26:02Z"'],
  ['ISO with an offset', '"2025-12-30T18:26:02+08:00"'],
  ['ISO with a short offset', '"2025-12-30T18:26:02+08"'],
  ['ISO with a named zone', '"2025-12-30T18:26:02+08:00[Asia/Shanghai]"'],
  ['ISO with a fraction', '"2025-12-30T10:26:02.000000"'],
  ['a stamp', '"20251230@102602"'],
  ["Jackson's array", '[2025,12,30,10,26,2]'],
  ['seconds', '1767090362'],
  ['seconds with a fraction', '1767090362.000'],
  ['milliseconds', '1767090362000'],
  ['microseconds', '1767090362000000'],
  ['nanoseconds', '1767090362000000000'],
  ['seconds as text', '"1767090362"'],
  ['milliseconds as text', '"1767090362000"'],
]

const agent = (time: string, rest: string): string =>
  `{"agentName":"A","startTime":${time},"endTime":null,"status":"RUNNING","thinkActSteps":[]${rest}}`

/** Records whose first time is to be read, by system and era. */
const RECORDS: Readonly<Record<string, (time: string) => string>> = {
  'JManus, text times': (time) =>
    `{"id":1,"planId":"p","title":"t","userRequest":"r","startTime":${time},"endTime":null,"agentExecutionSequence":[${agent(time, ',"stuck":false')}]}`,
  'Lynxe, array times': (time) =>
    `{"id":1,"currentPlanId":"p","rootPlanId":"p","parentPlanId":null,"structureResult":null,"startTime":${time},"endTime":null,"agentExecutionSequence":[${agent(time, ',"stepId":"s"')}]}`,
  SafePred: (time) => `{"steps":[{"step_idx":0,"timestamp":${time},"response":"r","actions":[]}]}`,
  'a planner run': (time) =>
    `{"timestamp":${time},"question":"q","locale":"","context":"","plan":{"topic":"t","goal":"g","steps":[]},"review_log":[]}\n`,
  'ManusX, domain': (time) => `{"type":"title","id":"e","timestamp":${time},"title":"t"}\n`,
  'ManusX, session': (time) =>
    `{"code":0,"msg":"success","data":{"session_id":"s","title":"t","status":"running","events":[{"event":"title","data":{"event_id":"e","timestamp":${time},"title":"t"}}]}}`,
  ATIF: (time) =>
    `{"schema_version":"ATIF-v1.4","session_id":"s","agent":{"name":"a","version":"1"},"steps":[{"step_id":1,"timestamp":${time},"source":"agent","message":"m"}]}`,
}

const imported = (text: string) => {
  const [record] = encodeRecords(new TextEncoder().encode(text))
  const { verdict, missing, text: back } = decodeRecord(record!.spans.map(toStoredSpan))!
  return { start: isoOf(record!.spans[0]!.startTimeUnixNano), verdict, missing, isSame: back === text }
}

describe.each(Object.entries(RECORDS))('a record of %s', (_, record) => {
  test.each(FORMS)('is read with its time as %s', (_form, json) => {
    expect(imported(record(json))).toEqual({ start: AT, verdict: 'complete', missing: [], isSame: true })
  })

  test.each(['"yesterday"', '""', 'true', '{"at":1}', '[2025]', '"2025-13-01T00:00:00"'])(
    'is partial if its time is %s',
    (json) => {
      const { verdict, missing, isSame } = imported(record(json))
      expect({ verdict, isSame }).toEqual({ verdict: 'partial', isSame: true })
      expect(missing[0]).toMatch(/^the time at \/\S*(startTime|timestamp), which cannot be read$/)
    },
  )

  test('comes back byte for byte, and is complete only if its time was read', () => {
    const json = fc.oneof(
      fc.constantFrom(...FORMS.map(([, form]) => form)),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(json, (time) => {
        const { start, verdict, isSame } = imported(record(time))
        expect(isSame).toBe(true)
        if (verdict === 'complete' && time !== 'null') expect(Date.parse(start)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 40 },
    )
  })
})
