import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { KnownTrace } from '../../src/indexer/known-trace.js'
import { isResting } from '../../src/indexer/resting.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'

const NOW = Date.parse('2026-03-04T12:00:00Z')
const CHEAP_MS = 20

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => void vi.useRealTimers())

/** A trace with some calls that has just been indexed. */
function indexedTrace(calls: number): KnownTrace {
  const trace = new KnownTrace('a'.repeat(32), 1_000)
  addCalls(trace, 0, calls)
  trace.noteIndexed()
  return trace
}

function addCalls(trace: KnownTrace, from: number, to: number): void {
  for (let at = from; at < to; at++) add(trace, { [ATTR.spanKind]: 'tool' }, at)
}

function add(trace: KnownTrace, attributes: Record<string, string>, at = 999): void {
  const row: StoredSpan = {
    traceId: trace.traceId,
    spanId: String(at).padStart(16, '0'),
    parentSpanId: 'f'.repeat(16),
    name: 'span',
    kind: 'Internal',
    startTimeUnixNano: 0n,
    endTimeUnixNano: 1n,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes,
    events: [],
    links: [],
    serviceName: '',
    scopeName: '',
    resourceAttributes: {},
  }
  trace.add(row, { isWhole: false })
}

const never = Number.POSITIVE_INFINITY

test.for([
  { name: 'a cheap trace', costMs: 20, age: 1, interruptedAt: never, rests: false },
  { name: 'a moderate trace within 1.5 seconds', costMs: 25, age: 1_499, interruptedAt: never, rests: true },
  { name: 'a moderate trace after 1.5 seconds', costMs: 100, age: 1_500, interruptedAt: never, rests: false },
  { name: 'an expensive trace within 300 times its cost', costMs: 101, age: 30_299, interruptedAt: never, rests: true },
  { name: 'an expensive trace after 300 times its cost', costMs: 101, age: 30_300, interruptedAt: never, rests: false },
  { name: 'a very expensive trace within 45 seconds', costMs: 2_000, age: 44_999, interruptedAt: never, rests: true },
  { name: 'a very expensive trace after 45 seconds', costMs: 2_000, age: 45_000, interruptedAt: never, rests: false },
  { name: 'a trace whose plan becomes interrupted', costMs: 100, age: 1_000, interruptedAt: NOW - 1, rests: false },
  {
    name: 'a trace whose plan was interrupted before',
    costMs: 100,
    age: 1_000,
    interruptedAt: NOW - 1_001,
    rests: true,
  },
])('$name rests: $rests', ({ costMs, age, interruptedAt, rests }) => {
  const trace = indexedTrace(1)
  Object.assign(trace, { costMs, indexedAt: NOW - age, interruptedAt })
  expect(isResting(trace, CHEAP_MS)).toBe(rests)
})

const OPEN = { [ATTR.spanState]: 'pending' }
const ROOT = { [ATTR.planId]: 'p', [ATTR.planRootId]: 'p' }

test.for([
  { name: 'fewer than twice as many spans', more: 9, attributes: {}, rests: true },
  { name: 'twice as many spans', more: 10, attributes: {}, rests: false },
  { name: 'a snapshot of its plan', more: 0, attributes: { [ATTR.spanKind]: 'plan', ...ROOT, ...OPEN }, rests: true },
  { name: 'the end of its plan', more: 0, attributes: { [ATTR.spanKind]: 'plan', ...ROOT }, rests: false },
  {
    name: 'the end of a sub-plan',
    more: 0,
    attributes: { [ATTR.spanKind]: 'plan', ...ROOT, [ATTR.planId]: 'sub' },
    rests: true,
  },
  { name: 'a wait that is open', more: 0, attributes: { [ATTR.spanKind]: 'wait', ...OPEN }, rests: false },
])('an expensive trace with $name rests: $rests', ({ more, attributes, rests }) => {
  const trace = indexedTrace(10)
  trace.costMs = 100
  addCalls(trace, 10, 10 + more)
  if (more === 0) add(trace, attributes)
  expect(isResting(trace, CHEAP_MS)).toBe(rests)
  trace.noteIndexed()
  expect(isResting(trace, CHEAP_MS)).toBe(true)
})
