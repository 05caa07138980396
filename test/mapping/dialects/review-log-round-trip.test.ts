import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type EncodedRecord } from '../../../src/mapping/index.js'
import { planRunRecordSchema } from '../../../src/records/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { plannerRuns } from '../../support/review-log-records.js'

const encodeAll = (text: string): EncodedRecord[] => [...encodeRecords(new TextEncoder().encode(text))]
const residualOf = ({ spans }: EncodedRecord): string =>
  spans.map((span) => span.attributes[ATTR.residual] ?? '').join('')

const sample = readFileSync(new URL('../../fixtures/review-log/plan_run_record.jsonl', import.meta.url), 'utf8')

describe('a run as the planner writes it', () => {
  test.each(Object.entries(plannerRuns))(
    'of version %s is rebuilt byte for byte without a residual, in any order of its spans and with duplicates',
    (version, runs) => {
      const property = fc.property(runs, fc.infiniteStream(fc.nat()), (text, random) => {
        const [encoded] = encodeAll(text)
        expect(encoded).toMatchObject({ dialect: 'review-log', era: version === 'without telemetry' ? '4' : version })
        expect(residualOf(encoded!)).toBe('')
        const rows = encoded!.spans.map(toStoredSpan)
        const shuffled = [...rows, ...rows.slice(1)]
          .map((row) => ({ row, at: random.next().value! }))
          .sort((a, b) => a.at - b.at)
        const decoded = decodeRecord(shuffled.map(({ row }) => row))
        expect(decoded).toMatchObject({ text, verdict: 'complete', planId: encoded!.key })
      })
      fc.assert(property, { numRuns: 60 })
    },
  )

  test('is a valid record', () => {
    fc.assert(
      fc.property(fc.oneof(...Object.values(plannerRuns)), (text) => {
        expect(planRunRecordSchema.safeParse(JSON.parse(text)).error).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })
})

describe('the published sample', () => {
  test('is rebuilt byte for byte, with its unusual key order and its missing line end as the only residual', () => {
    const [record] = encodeAll(sample)
    expect(decodeRecord(record!.spans.map(toStoredSpan))).toMatchObject({
      text: sample,
      dialect: 'review-log',
      verdict: 'complete',
      state: 'completed',
    })
    expect(residualOf(record!).length / sample.length).toBeLessThan(0.12)
    expect(residualOf(record!)).toMatch(/^\{"style":\{[^}]*\}\}\{"deviations":\[\["order",[^{}]*\]\}$/)
  })

  test('becomes a plan, its researcher and a call per search, one after the other until the time of writing', () => {
    const [{ spans } = { spans: [] }] = encodeAll(sample)
    expect(spans.map(({ name }) => name)).toEqual([
      'invoke_workflow',
      'invoke_agent researcher',
      'execute_tool search',
      'execute_tool search',
    ])
    const end = 1_723_457_742_310_000_000n
    expect(spans.map((span) => [end - span.startTimeUnixNano, end - span.endTimeUnixNano])).toEqual([
      [1_250_000_000n, 0n],
      [1_250_000_000n, 0n],
      [1_250_000_000n, 530_000_000n],
      [530_000_000n, 0n],
    ])
    expect(spans.every((span) => span.attributes[ATTR.timeSynthetic] === true)).toBe(true)
  })

  test('shows its reviews as events, and has no token usage', () => {
    const [{ spans } = { spans: [] }] = encodeAll(sample)
    expect(spans[0]?.events.map(({ attributes }) => attributes)).toEqual([
      {
        [ATTR.reviewAttempt]: 1,
        [ATTR.reviewAction]: 'REQUEST_CHANGES',
        [ATTR.reviewFeedback]: '请补充成本估算',
      },
      { [ATTR.reviewAttempt]: 2, [ATTR.reviewAction]: 'ACCEPT_PLAN', [ATTR.reviewFeedback]: '' },
    ])
    expect(spans[0]?.attributes).toMatchObject({ [ATTR.reviewCount]: 2, [ATTR.reviewFinalAction]: 'ACCEPT_PLAN' })
    expect(spans.flatMap(({ attributes }) => Object.keys(attributes)).filter((key) => /usage/.test(key))).toEqual([])
  })
})

describe('the state of a run', () => {
  const state = (reviews: object[], statuses: string[] = []): string | undefined => {
    const record = { question: 'q', plan: { steps: statuses.map((status) => ({ status })) }, review_log: reviews }
    return decodeRecord(encodeAll(JSON.stringify(record))[0]!.spans.map(toStoredSpan))?.state
  }
  test.each([
    [[], [], 'completed'],
    [[{ action: 'ACCEPT_PLAN' }], ['COMPLETED', 'PENDING'], 'completed'],
    [[{ action: 'ACCEPT_PLAN' }], ['COMPLETED', 'IN_PROGRESS'], 'running'],
    [[{ action: 'ACCEPT_PLAN' }], ['BLOCKED', 'PENDING'], 'failed'],
    [[{ action: 'ACCEPT_PLAN' }, { action: 'ABORT' }], ['BLOCKED'], 'cancelled'],
    [[{ action: 'REQUEST_CHANGES' }], [], 'updating'],
    [[{ attempt: 1 }], [], 'waiting'],
  ])('with the reviews %j and steps %j is %s', (reviews, statuses, expected) => {
    expect(state(reviews, statuses)).toBe(expected)
  })
})

describe('the time of writing', () => {
  const end = (timestamp: string, timeZone: string): bigint | undefined => {
    const text = JSON.stringify({ timestamp, question: 'q', plan: {} })
    const [record] = encodeRecords(new TextEncoder().encode(text), { timeZone })
    return record?.spans[0]?.endTimeUnixNano
  }
  test('is UTC with and without a zone, whatever the zone of other records', () => {
    expect(end('2025-10-09T12:34:25.000120', 'Asia/Shanghai')).toBe(1_760_013_265_000_120_000n)
    expect(end('2025-10-09T12:34:25.000120Z', 'UTC')).toBe(1_760_013_265_000_120_000n)
  })
})

describe('a file of runs', () => {
  test('gives equal lines different keys', () => {
    const keys = encodeAll('{"question":"q","plan":{},"locale":""}\n'.repeat(3)).map(({ key }) => key)
    expect(new Set(keys).size).toBe(3)
    expect(keys[1]).toBe(`${keys[0]}-1`)
  })
})
