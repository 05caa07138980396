import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { decodeEvents } from '../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'
import {
  agentSpan,
  answers,
  asks,
  chatSpan,
  type ForeignSpan,
  foreignSpans,
  says,
  toolSpan,
} from '../support/foreign-spans.js'
import { PlanLife, resumedLife, wholeLife } from '../support/plan-life.js'

const IDS = { traceId: 'a'.repeat(32), planId: 'plan-1' }

const lives = {
  'that runs through': wholeLife(IDS).stored,
  'that is killed, resumed and suspended': resumedLife(IDS).stored,
}

interface Seen {
  readonly id: string
  /** The part of the id that never changes. */
  readonly number: string
  readonly event: string
  readonly data: Record<string, unknown>
}

const read = ({ id, write }: { id: string; write(): string }): Seen => {
  const [, event = '', data = ''] = /^event: (.*)\r\ndata: (.*)\r\n\r\n$/.exec(write()) ?? []
  return { id, number: id.split('-')[1]!, event, data: JSON.parse(data) as Seen['data'] }
}

const eventsOf = (rows: readonly StoredSpan[]): Seen[] =>
  decodeEvents(rows, { planId: IDS.planId, now: 0n })?.frames.map(read) ?? []

/** The events of a client that receives each as soon as it is known, while the rows arrive in parts. */
function watched(parts: readonly (readonly StoredSpan[])[]): Seen[] {
  const seen = new Map<string, Seen>()
  const rows: StoredSpan[] = []
  for (const part of parts) {
    rows.push(...part)
    for (const event of eventsOf(rows)) if (!seen.has(event.number)) seen.set(event.number, event)
  }
  return [...seen.values()]
}

const inParts = <T>(items: readonly T[], cuts: readonly number[]): T[][] => {
  const places = [...new Set(cuts.map((cut) => cut % items.length))].sort((a, b) => a - b)
  return [0, ...places].map((from, index) => items.slice(from, [...places, items.length][index]))
}

const cuts = fc.array(fc.nat(), { maxLength: 30 })

describe.each(Object.entries(lives))('the events of a live plan %s', (_, stored) => {
  test('are the same for a client that follows them as afterwards, while rows arrive in order', () => {
    fc.assert(
      fc.property(cuts, (places) => {
        const seen = watched(inParts(stored, places))
        expect(seen.map(({ id }) => id)).toEqual(eventsOf(stored).map(({ id }) => id))
      }),
    )
  })

  test('each have a unique id that is also the event_id of the data', () => {
    const events = eventsOf(stored)
    expect(new Set(events.map(({ number }) => number)).size).toBe(events.length)
    expect(events.map(({ data }) => data['event_id'])).toEqual(events.map(({ id }) => id))
  })

  const places = stored.map((_, index) => index)
  const arrivals = fc
    .tuple(fc.shuffledSubarray(places, { minLength: places.length }), fc.subarray(places), cuts)
    .map(([order, doubled, cuts]) => inParts([...order, ...doubled], cuts))
  const arrive = (parts: readonly (readonly number[])[]): Seen[] =>
    watched(parts.map((part) => part.map((index) => stored[index]!)))

  test('are complete and unique in any order of rows, with any duplicates', () => {
    const known = new Set(eventsOf(stored).map(({ number }) => number))
    fc.assert(
      fc.property(arrivals, (parts) => {
        const seen = arrive(parts)
        // Until the planning is known, a plan event has the current state.
        // Until a segment is known, its step is a separate run.
        const isEarly = ({ event, data }: Seen): boolean => event === 'plan' || data['status'] === 'running'
        const own = seen.filter((event) => !isEarly(event) || known.has(event.number))
        expect(new Set(own.map(({ number }) => number))).toEqual(known)
      }),
    )
  })

  test('never show an effect before its cause, in any order of rows', () => {
    fc.assert(
      fc.property(arrivals, (parts) => {
        const seen = arrive(parts)
        const indexOf = (event: string, status: string, key: string, value: unknown): number =>
          seen.findIndex(({ event: is, data }) => is === event && data['status'] === status && data[key] === value)
        for (const { event, data } of seen) {
          if (event === 'tool' && data['status'] === 'called') {
            expect(indexOf('tool', 'calling', 'tool_call_id', data['tool_call_id'])).toBeLessThan(
              indexOf('tool', 'called', 'tool_call_id', data['tool_call_id']),
            )
          }
          if (event === 'step' && data['status'] === 'completed') {
            expect(indexOf('step', 'running', 'id', data['id'])).toBeLessThan(
              indexOf('step', 'completed', 'id', data['id']),
            )
          }
        }
        const firstTool = seen.findIndex(({ event }) => event === 'tool')
        expect(seen.findIndex(({ event }) => event === 'step')).toBeLessThan(firstTool)
        expect(seen.findIndex(isPlan)).toBeLessThan(seen.findIndex(({ event }) => event === 'step'))
      }),
    )
  })
})

describe('the events of a live plan', () => {
  test('end with the plan, not with an error that the plan survives', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.change('plan', { [ATTR.state]: 'failed' })
    const failing = decodeEvents(life.stored, { planId: IDS.planId, now: 0n })
    expect(failing).toMatchObject({ ended: false, frames: [] })
    life.end('plan', { [ATTR.state]: 'completed' })
    expect(eventsOf(life.stored).map(({ event }) => event)).toEqual(['plan', 'plan', 'done'])
  })

  test('are emitted once over all segments', () => {
    const emitted = eventsOf(lives['that is killed, resumed and suspended'])
    expect(emitted.map(({ event, data }) => [event, data['status'] ?? ''].join(' ').trim())).toEqual([
      'title',
      'plan',
      'step running',
      'tool calling',
      'message',
      'wait',
      'step running',
      'step completed',
      'plan',
      'done',
    ])
  })
})

describe('the calls of a live plan of another instrumentation', () => {
  const root = agentSpan('A', { until: 99 })
  const m1 = chatSpan('root', { at: 1, output: [says('assistant', asks('c1', 'search'))] })
  const tool = toolSpan('root', 'search', { at: 3, 'gen_ai.tool.call.id': 'c1', 'gen_ai.tool.call.result': 'found' })
  const m2 = chatSpan('root', { at: 5, input: [answers('c1', 'found')], output: [says('assistant', 'Done.')] })

  /** The tool events of a client that watches while the spans arrive one by one, by the number of spans. */
  function callsOf(spans: Readonly<Record<string, ForeignSpan>>): string[] {
    const rows = foreignSpans(spans)
    const planId = rows[0]!.traceId
    const known = new Set<string>()
    return rows.flatMap((_, at) =>
      decodeEvents(rows.slice(0, at + 1), { planId, now: 0n })!
        .frames.map(read)
        .filter(({ number }) => !known.has(number) && known.add(number))
        .filter(({ event }) => event === 'tool')
        .map(({ data }) => `${at + 1} ${String(data['status'])}`),
    )
  }

  test.each<[what: string, spans: Readonly<Record<string, ForeignSpan>>, calls: string[]]>([
    ['are reported when their spans arrive', { m1, tool, m2, root }, ['2 calling', '2 called']],
    ['are reported once if their spans arrive late', { m1, m2, tool, root }, ['3 calling', '3 called']],
    ['are reported at the end of their agent if no span reports them', { m1, m2, root }, ['3 calling', '3 called']],
    ['are not reported while they wait for a person', { m1, root }, []],
  ])('%s', (_, spans, calls) => expect(callsOf(spans)).toEqual(calls))
})

const isPlan = ({ event }: Seen): boolean => event === 'plan'
