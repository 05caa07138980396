import { expect, test } from 'vitest'

import { decodeRecord, encodeRecords, isoOf, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR, spanTimesOf } from '../../../src/semconv/index.js'

const plan = (times: { planStart: string; agentStart: string; agentEnd: string }): string =>
  JSON.stringify({
    currentPlanId: 'plan-1',
    rootPlanId: 'plan-1',
    title: 't',
    startTime: times.planStart,
    endTime: null,
    completed: true,
    agentExecutionSequence: [
      {
        id: 1,
        agentName: 'A',
        startTime: times.agentStart,
        endTime: times.agentEnd,
        status: 'FINISHED',
        thinkActSteps: [],
      },
    ],
  })

const times = spanTimesOf(10, Date.parse('2026-11-23T00:00:00Z'))

test.each([
  ['without a valid one', '1999-01-01T00:00:00', '2150-01-01T00:00:00', '1970-01-01T00:00:00.000'],
  ['with one valid one', '2003-01-01T00:00:00', '2020-05-06T07:00:00', '2020-05-06T07:00:00.000'],
])('a record with times %s is complete, and its spans have valid times', (_, planStart, agentStart, start) => {
  const text = plan({ planStart, agentStart, agentEnd: '2199-01-01T00:00:00' })
  const [record] = encodeRecords(Buffer.from(text), { times })
  expect(record!.spans.map(({ startTimeUnixNano }) => isoOf(startTimeUnixNano))).toEqual([`${start}Z`, `${start}Z`])
  expect(record!.spans.map(({ attributes }) => attributes[ATTR.timeSynthetic])).toEqual([true, true])
  expect(decodeRecord(record!.spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete' })
})

test('a record keeps the valid times', () => {
  const text = plan({
    planStart: '2020-01-01T00:00:00',
    agentStart: '2020-01-02T00:00:00',
    agentEnd: '2020-01-03T00:00:00',
  })
  const [record] = encodeRecords(Buffer.from(text), { times })
  expect(record!.spans.map(({ startTimeUnixNano }) => isoOf(startTimeUnixNano).slice(0, 10))).toEqual([
    '2020-01-01',
    '2020-01-02',
  ])
})
