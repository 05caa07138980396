import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { foldSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { PendingSpanProcessor, type PlanSpan, startPlan } from '../../../src/tracing/index.js'
import { installSdk } from '../in-memory-sdk.js'
import { storedSpans } from '../stored-spans.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** An event of one of several plans: the plan, the event, and the delay since the previous one. */
const act = fc.record({
  plan: fc.nat(3),
  what: fc.constantFrom('agent', 'cycle', 'tool', 'wait', 'message', 'end', 'error'),
  pick: fc.nat(7),
  after: fc.constantFrom(0, 1, 99, 101, 700, 31_000),
})

interface Open {
  startAgent?: (options: { name: string }) => Open
  startCycle?: () => Open
  startTool?: (options: { name: string }) => Open
  startWait?: (options: object) => Open
  end(): void
  error(error: Error): void
}

/** Runs concurrent plans and returns all of their rows. */
function live(acts: readonly { plan: number; what: string; pick: number; after: number }[]) {
  const sdk = installSdk({ before: (next) => new PendingSpanProcessor(next) })
  const plans: PlanSpan[] = [0, 1, 2, 3].map((at) => startPlan({ workflow: `w-${at}`, planId: `p-${at}` }))
  const open: Open[][] = plans.map((plan) => [plan])
  for (const { plan, what, pick, after } of acts) {
    vi.advanceTimersByTime(after)
    const spans = open[plan]!
    const at = spans[pick % spans.length]!
    if (what === 'agent' && at.startAgent) spans.push(at.startAgent({ name: `a-${plan}` }))
    if (what === 'cycle' && at.startCycle) spans.push(at.startCycle())
    if (what === 'tool' && at.startTool) spans.push(at.startTool({ name: `t-${plan}` }))
    if (what === 'wait' && at.startWait) spans.push(at.startWait({}))
    if (what === 'message') plans[plan]!.message({ role: 'user', content: `of ${plan}` })
    if (what === 'error') at.error(new Error('e'))
    if (what === 'end' && pick % spans.length > 0) at.end()
  }
  const crashed = storedSpans(sdk.spans())
  for (const spans of open) for (const span of spans.toReversed()) span.end()
  const all = storedSpans(sdk.spans())
  sdk.uninstall()
  return { crashed, all }
}

test('snapshots do not change a finished plan’s spans', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const { all } = live(acts)
      const finals = all.filter(({ attributes }) => attributes[ATTR.spanState] === undefined)
      expect(foldSpans(all)).toEqual(foldSpans(finals))
    }),
    { numRuns: 100 },
  )
})

test('a snapshot has the ids, parent, plan and start of its span, in order, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const { crashed, all } = live(acts)
      const finals = new Map(all.map((row) => [row.spanId, row]))
      const seqs = new Map<string, number>()
      for (const { attributes, ...row } of crashed.filter((row) => row.attributes[ATTR.spanState] === 'pending')) {
        const real = finals.get(attributes[ATTR.pendingSpanId]!)!
        expect(row).toMatchObject({
          name: real.name,
          startTimeUnixNano: real.startTimeUnixNano,
          parentSpanId: real.spanId,
        })
        expect(row.traceId).toBe(real.traceId)
        expect(attributes[ATTR.pendingParentSpanId]).toBe(real.parentSpanId)
        for (const key of [ATTR.planId, ATTR.planRootId, ATTR.spanKind, ATTR.seq, ATTR.agentName]) {
          expect(attributes[key]).toBe(real.attributes[key])
        }
        expect(real.events.slice(0, row.events.length)).toEqual(row.events)
        const seq = seqs.get(real.spanId) ?? -1
        expect(Number(attributes[ATTR.snapshotSeq])).toBe(seq + 1)
        seqs.set(real.spanId, seq + 1)
      }
    }),
    { numRuns: 100 },
  )
})
