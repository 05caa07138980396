import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, foldSpans, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../../../src/semconv/index.js'
import { stateOfWord } from '../../../src/mapping/tree/state.js'
import { lynxePlan } from '../../support/plan-execution-records.js'

const row = (spanId: string, attributes: Record<string, string> = {}, start = 1n): StoredSpan => ({
  traceId: 't',
  spanId,
  parentSpanId: '',
  name: spanId,
  kind: 'Internal',
  startTimeUnixNano: start,
  endTimeUnixNano: start,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes,
  events: [],
  links: [],
  serviceName: '',
  scopeName: '',
  resourceAttributes: {},
})

const snapshot = (of: string, seq: number): StoredSpan =>
  row(`${of}-${seq}`, {
    [ATTR.spanState]: PENDING,
    [ATTR.pendingSpanId]: of,
    [ATTR.pendingParentSpanId]: 'parent',
    [ATTR.snapshotSeq]: String(seq),
  })

describe('folding', () => {
  test('keeps the final span and drops its snapshots and copies', () => {
    const folded = foldSpans([snapshot('a', 2), row('a'), snapshot('a', 1), row('a')])
    expect(folded).toMatchObject([{ spanId: 'a', pending: false, name: 'a' }])
  })

  test('keeps the highest snapshot with the real ids if the span has not ended', () => {
    const folded = foldSpans([snapshot('a', 2), snapshot('a', 10), snapshot('a', 1)])
    expect(folded).toMatchObject([{ spanId: 'a', parentSpanId: 'parent', pending: true, name: 'a-10' }])
  })

  test('does not depend on the order of rows or on duplicates', () => {
    const rows = [row('a', {}, 3n), row('b', {}, 1n), snapshot('c', 1), snapshot('c', 2), snapshot('a', 5)]
    const expected = foldSpans(rows)
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), fc.shuffledSubarray(rows), (all, again) => {
        expect(foldSpans([...all, ...again])).toEqual(expected)
      }),
    )
  })
})

describe('the verdict', () => {
  test('is partial if any span of the record except its root is missing, and names it', () => {
    fc.assert(
      fc.property(lynxePlan, fc.nat(), (record, pick) => {
        const [encoded] = encodeRecords(new TextEncoder().encode(JSON.stringify(record)))
        const rows = encoded!.spans.map(toStoredSpan)
        fc.pre(rows.length > 1)
        const lost = 1 + (pick % (rows.length - 1))
        const decoded = decodeRecord(rows.filter((_, index) => index !== lost))
        expect(decoded?.verdict).toBe('partial')
        expect(decoded?.missing.length).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })

  test('is partial if a live span reports values that could not be sent', () => {
    const plan = { [ATTR.planId]: 'p', [ATTR.planRootId]: 'p', [ATTR.spanKind]: 'plan' }
    expect(decodeRecord([row('a', plan)])).toMatchObject({ verdict: 'complete', missing: [] })
    expect(decodeRecord([row('a', { ...plan, [ATTR.dropped]: '2' })])).toMatchObject({
      verdict: 'partial',
      missing: ['2 values of "a", which could not be sent'],
      gaps: [{ spanId: 'a', what: '2 values of "a", which could not be sent' }],
    })
  })

  test('is partial before it is redacted, and redacted before it is altered', () => {
    const text = '{"planId":"p","userRequest":"r","title":"t","agentExecutionSequence":[{"agentName":"a"}]}'
    const [encoded] = encodeRecords(new TextEncoder().encode(text))
    const rows = encoded!.spans.map(toStoredSpan)
    const { [ATTR.planTitle]: _, ...rest } = rows[0]!.attributes
    const altered = [{ ...rows[0]!, attributes: rest }, ...rows.slice(1)]
    const redacted = [
      { ...rows[0]!, attributes: { ...rest, [ATTR.redactedFields]: `["${ATTR.planTitle}"]` } },
      ...rows.slice(1),
    ]
    expect(decodeRecord(rows)?.verdict).toBe('complete')
    expect(decodeRecord(altered)?.verdict).toBe('altered')
    expect(decodeRecord(redacted)?.verdict).toBe('redacted')
    expect(decodeRecord(redacted.slice(0, 1))?.verdict).toBe('partial')
  })

  test('is undefined for a plan that is not among the spans', () => {
    expect(decodeRecord([])).toBeUndefined()
    const [encoded] = encodeRecords(new TextEncoder().encode('{"planId":"p","userRequest":"r"}'))
    expect(decodeRecord(encoded!.spans.map(toStoredSpan), { planId: 'q' })).toBeUndefined()
  })

  test('supports spans whose parents form a cycle', () => {
    const [encoded] = encodeRecords(new TextEncoder().encode('{"planId":"p","userRequest":"r"}'))
    const root = toStoredSpan(encoded!.spans[0]!)
    const circle = [
      { ...row('x'), parentSpanId: 'y' },
      { ...row('y'), parentSpanId: 'x' },
      { ...row('z'), parentSpanId: 'z' },
    ]
    expect(decodeRecord([root, ...circle])?.verdict).toBe('complete')
  })
})

describe('the state', () => {
  test.each([
    ['FINISHED', 'completed'],
    ['COMPLETED', 'completed'],
    ['SUCCESS', 'completed'],
    ['called', 'completed'],
    ['ACCEPT_PLAN', 'completed'],
    ['RUNNING', 'running'],
    ['IN_PROGRESS', 'running'],
    ['started', 'running'],
    ['Executing', 'running'],
    ['Planning', 'planning'],
    ['created', 'planning'],
    ['Updating', 'updating'],
    ['updated', 'updating'],
    ['wait', 'waiting'],
    ['FAILED', 'failed'],
    ['ERROR', 'failed'],
    ['BLOCKED', 'failed'],
    ['ABORT', 'cancelled'],
    ['refused', 'cancelled'],
    ['IDLE', undefined],
    ['PENDING', undefined],
    ['not_started', undefined],
    ['constructor', undefined],
  ])('of %s is %s', (word, state) => {
    expect(stateOfWord(word)).toBe(state)
  })
})

describe('a sub-plan', () => {
  test('can be requested by itself', () => {
    const agent = (subPlans: unknown[]) => ({
      stepId: 's',
      agentName: 'a',
      thinkActSteps: [],
      subPlanExecutionRecords: subPlans,
    })
    const sub = { currentPlanId: 'sub', rootPlanId: 'p', title: 'below', agentExecutionSequence: [agent([])] }
    const plan = { currentPlanId: 'p', rootPlanId: 'p', agentExecutionSequence: [agent([sub])] }
    const [encoded] = encodeRecords(new TextEncoder().encode(JSON.stringify(plan)))
    const rows = encoded!.spans.map(toStoredSpan)
    expect(decodeRecord(rows, { planId: 'sub' })).toMatchObject({ text: JSON.stringify(sub), planId: 'sub' })
    expect(decodeRecord(rows)).toMatchObject({ text: JSON.stringify(plan), planId: 'p' })
  })
})
