import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { faultsOf, treeSpans } from '../../../src/mapping/index.js'
import { ATTR, EVENTS, type StoredSpan } from '../../../src/semconv/index.js'
import { branchingLife } from '../../support/branching-plan.js'
import { PlanLife } from '../../support/plan-life.js'

const IDS = { traceId: 'a'.repeat(32), planId: 'plan-1' }
const DOWN = { [ATTR.errorType]: 'TimeoutError', [ATTR.errorMessage]: 'The service did not answer.' }

/** A plan with an agent, its cycle and a tool call. */
function begun(): PlanLife {
  const life = new PlanLife(IDS)
  life.start('plan', 'plan')
  life.start('agent', 'agent', 'plan')
  life.start('cycle', 'think_act', 'agent')
  life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'browse' })
  return life
}

const failuresIn = (life: PlanLife, options = {}) =>
  faultsOf(life.stored, options).failures.map(({ node, errors, reached }) => [
    node.role,
    errors[0]?.message,
    reached.role,
  ])

describe('failures', () => {
  test('count once, for the innermost span, if an error is rethrown', () => {
    const life = begun()
    for (const name of ['tool', 'cycle', 'agent', 'plan']) life.end(name, DOWN, 'ERROR')
    expect(failuresIn(life)).toEqual([['tool', DOWN[ATTR.errorMessage], 'plan']])
  })

  test('count once if the spans above record no error, or repeat it with other words', () => {
    const life = begun()
    life.end('tool', DOWN, 'ERROR')
    life.end('cycle', {}, 'ERROR')
    life.end('agent', { [ATTR.errorMessage]: `browse failed: ${DOWN[ATTR.errorMessage].toLowerCase()}` }, 'ERROR')
    life.end('plan', { [ATTR.state]: 'completed' })
    expect(failuresIn(life)).toEqual([['tool', DOWN[ATTR.errorMessage], 'agent']])
  })

  test('count twice if the span above failed for another reason; the first to end is first', () => {
    const life = begun()
    life.end('tool', DOWN, 'ERROR')
    life.end('cycle')
    life.end('agent', { [ATTR.errorMessage]: 'Too many cycles.' }, 'ERROR')
    life.end('plan', { [ATTR.errorMessage]: 'Too many cycles.' }, 'ERROR')
    expect(failuresIn(life)).toEqual([
      ['tool', DOWN[ATTR.errorMessage], 'tool'],
      ['agent', 'Too many cycles.', 'plan'],
    ])
  })

  test('count once if the spans above record only its class', () => {
    const life = begun()
    life.end('tool', DOWN, 'ERROR')
    for (const name of ['cycle', 'agent', 'plan']) life.end(name, { [ATTR.errorType]: 'TimeoutError' }, 'ERROR')
    expect(failuresIn(life)).toEqual([['tool', DOWN[ATTR.errorMessage], 'plan']])
  })

  test('include errors that only an event records, and spans without any text', () => {
    const life = begun()
    life.end('tool', {}, 'ERROR')
    const stored = life.stored.map((row) => ({
      ...row,
      events:
        row.statusCode === 'ERROR'
          ? [{ name: EVENTS.exception, timeUnixNano: 1n, attributes: { 'exception.message': 'No room.' } }]
          : [],
    }))
    expect(faultsOf(stored).failures.map(({ errors }) => errors[0]?.message)).toEqual(['No room.'])
    expect(failuresIn(life)).toEqual([['tool', undefined, 'tool']])
  })

  test('account for each failed span once', () => {
    fc.assert(
      fc.property(branchingLife, (rows) => {
        const parents = new Map(treeSpans(rows).map((span) => [span.spanId, span.parentSpanId]))
        const above = (from: string): string[] => {
          const path: string[] = []
          for (let at: string | undefined = from; at; at = parents.get(at)) path.push(at)
          return path
        }
        const { failures } = faultsOf(rows)
        const ids = failures.map(({ node }) => node.span.spanId)
        expect(new Set(ids).size).toBe(ids.length)
        const covered = new Set(
          failures.flatMap(({ node, reached }) => {
            const path = above(node.span.spanId)
            return path.slice(0, path.indexOf(reached.span.spanId) + 1)
          }),
        )
        const failed = treeSpans(rows).filter(({ statusCode, state }) => statusCode === 'ERROR' || state === 'failed')
        expect(failed.filter(({ spanId }) => !covered.has(spanId))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

describe('unsafe actions', () => {
  test('list taken actions first, then the riskiest, each judgment once', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('agent', 'agent', 'plan')
    const judge = (cycle: string, score: number, { isSafe = false, isMade = false, repeated = false }): void => {
      life.start(cycle, 'think_act', 'agent')
      const judged = { [ATTR.riskScore]: score, [ATTR.riskIsSafe]: isSafe, [ATTR.riskActionName]: cycle }
      life.start('guardrail', 'guardrail', cycle, { ...judged, ...(repeated ? { [ATTR.riskRepeated]: true } : {}) })
      life.end('guardrail')
      if (isMade) {
        life.start('tool', 'tool', cycle, { [ATTR.toolName]: cycle })
        life.end('tool')
      }
      life.end(cycle)
    }
    judge('read', 0.1, { isSafe: true, isMade: true })
    judge('stopped', 0.95, {})
    judge('pay', 0.7, { isMade: true })
    judge('wipe', 0.9, { isMade: true })
    judge('again', 0.9, { isMade: true, repeated: true })
    for (const name of ['agent', 'plan']) life.end(name)
    const { actions } = faultsOf(life.stored)
    expect(actions.map(({ taken, calls }) => [taken, calls[0]?.span.attributes[ATTR.toolName]])).toEqual([
      [true, 'wipe'],
      [true, 'pay'],
      [false, 'stopped'],
    ])
  })
})

describe('waits', () => {
  const now = (rows: readonly StoredSpan[], milliseconds: number): bigint =>
    rows.reduce((last, { endTimeUnixNano: end }) => (end > last ? end : last), 0n) + BigInt(milliseconds) * 1_000_000n

  test('list the longest first; an open wait lasts until now', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('first', 'wait', 'plan', { [ATTR.waitTitle]: 'Well?' })
    life.end('first', { [ATTR.waitResolution]: 'approved' })
    life.start('second', 'wait', 'plan', { [ATTR.waitTitle]: 'And now?' })
    const { waits } = faultsOf(life.stored, { now: now(life.stored, 2000) })
    expect(
      waits.map(({ node, isOpen, nanoseconds }) => [node.span.attributes[ATTR.waitTitle], isOpen, nanoseconds]),
    ).toEqual([
      ['And now?', true, 2_010_000_000n],
      ['Well?', false, 20_000_000n],
    ])
  })

  test('of an import without times have no duration', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('wait', 'wait', 'plan', { [ATTR.timeSynthetic]: true })
    for (const name of ['wait', 'plan']) life.end(name)
    expect(faultsOf(life.stored).waits.map(({ nanoseconds }) => nanoseconds)).toEqual([undefined])
  })
})
