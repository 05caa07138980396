import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { ERA_NAMES, recordOf } from '../../support/era-records.js'

describe('a record of era', () => {
  test.each(ERA_NAMES)('%s is detected and rebuilt in that era, without a residual', (name) => {
    const text = recordOf(name)
    const [record] = encodeRecords(new TextEncoder().encode(text))
    expect(record?.era).toBe(name)
    expect(record?.spans.flatMap(({ attributes }) => attributes[ATTR.residual] ?? [])).toEqual([])
    expect(decodeRecord(record!.spans.map(toStoredSpan))).toMatchObject({
      text,
      verdict: 'complete',
      state: 'completed',
    })
  })

  test.each(ERA_NAMES.filter((name) => name !== 'A0' && name !== 'A' && name !== 'A1' && name !== 'B'))(
    '%s has its sub-plan below the tool call that started it',
    (name) => {
      const [record] = encodeRecords(new TextEncoder().encode(recordOf(name)))
      const spans = record!.spans
      const subPlan = spans.find(({ attributes }) => attributes[ATTR.planId] === 'subplan-1')
      const parent = spans.find(({ spanId }) => spanId === subPlan?.parentSpanId)
      expect(parent?.name).toBe('execute_tool t')
    },
  )
})
