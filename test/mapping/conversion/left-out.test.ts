import { describe, expect, test } from 'vitest'
import { generatePlans } from '../../../src/generate/index.js'
import {
  decodeRecord,
  DIALECT_NAMES,
  encodeRecords,
  type DialectName,
  toStoredSpan,
} from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { finalRow } from '../../support/live-rows.js'

const text = (content: string): string => JSON.stringify([{ role: 'user', parts: [{ type: 'text', content }] }])

const PLAN = [
  finalRow({
    id: 'plan',
    role: 'plan',
    end: 9,
    attributes: {
      [ATTR.inputMessages]: text('Go'),
      [ATTR.planSummary]: 'Gone',
      [ATTR.reviewLog]: '[{"attempt":1,"action":"REQUEST_CHANGES"},{"attempt":2,"action":"ACCEPT_PLAN"}]',
    },
  }),
  finalRow({ id: 'wait', role: 'wait', parent: 'plan', start: 1, attributes: { [ATTR.waitTitle]: 'When?' } }),
  finalRow({ id: 'agent', role: 'agent', parent: 'plan', start: 2, end: 8 }),
  finalRow({ id: 'cycle', role: 'think_act', parent: 'agent', start: 3, end: 7 }),
  finalRow({
    id: 'call',
    role: 'llm',
    parent: 'cycle',
    start: 3,
    attributes: { [ATTR.usageInputTokens]: '100', [ATTR.usageOutputTokens]: '10' },
  }),
  finalRow({ id: 'tool', role: 'tool', parent: 'cycle', start: 5, attributes: { [ATTR.toolName]: 'browse' } }),
]
const EMPTY = [finalRow({ id: 'plan', role: 'plan', attributes: { [ATTR.inputMessages]: text('Go') } })]

const converted = (rows: readonly StoredSpan[], format: DialectName) => {
  const { leftOut, ...record } = decodeRecord(rows, { format })!
  return { ...record, leftOut: leftOut.map(({ kind, count, of }) => `${count} of ${of} ${kind}`) }
}

describe('a converted record', () => {
  test.each([
    ['trajectory:traj', ['1 of 1 requests', '1 of 1 answers', '2 of 2 reviews', '1 of 1 waits', '1 of 1 model calls']],
    ['plan-act:events', ['2 of 2 reviews', '1 of 1 model calls', '110 of 110 tokens']],
  ] as const)('lists what %s has no place for', (format, kinds) => {
    const { verdict, missing, leftOut } = converted(PLAN, format)
    expect({ verdict, missing }).toEqual({ verdict: 'partial', missing: [] })
    expect(leftOut).toEqual(expect.arrayContaining([...kinds]))
  })

  test('is complete if its dialect has a place for planspan’s own key', () => {
    for (const format of ['plan-execution', 'atif', 'trajectory', 'review-log'] as const) {
      expect(converted(PLAN, format)).toMatchObject({ verdict: 'complete', leftOut: [] })
    }
  })

  test('is partial if it is empty', () => {
    expect(converted(EMPTY, 'trajectory:traj')).toMatchObject({
      text: '',
      verdict: 'partial',
      leftOut: ['1 of 1 requests'],
    })
  })

  test('comes back byte for byte when it is imported, from a plan of any origin in any dialect', () => {
    for (const { spans } of generatePlans({ plans: 12, days: 9, seed: 'back', until: Date.UTC(2026, 5, 1) })) {
      for (const format of DIALECT_NAMES) {
        const record = decodeRecord(spans.map(toStoredSpan), { format })
        const bytes = new TextEncoder().encode(record?.text ?? '')
        for (const imported of record?.text.trim() ? encodeRecords(bytes, { format }) : []) {
          const back = decodeRecord(imported.spans.map(toStoredSpan))
          expect([format, back?.verdict, back?.text]).toEqual([format, 'complete', imported.text])
        }
      }
    }
  })
})
