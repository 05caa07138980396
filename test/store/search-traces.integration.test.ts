import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import type { TraceQuery } from '../../src/store/index.js'
import { nanos, type TestSpan } from './spans.js'
import { DAY, HOUR, openTraceStore, snapshot, traceId, traceName, type TraceStore } from './trace-store.js'

let opened: TraceStore
const insert = (spans: TestSpan[]) => opened.insert(spans)

beforeAll(async () => {
  opened = await openTraceStore()
})
afterAll(() => opened.close())

/** The traces that a search finds, by name. */
async function search(query: Omit<TraceQuery, 'limit'> & { limit?: number }): Promise<string[]> {
  const found = await opened.store.traces.searchTraces({ limit: 100, ...query })
  return found.map(({ traceId }) => traceName(traceId))
}

describe('searchTraces', () => {
  const service = 'search'
  beforeAll(() =>
    insert([
      { traceId: 'old', spanId: 'a', service, start: -300 * DAY, name: 'chat gpt', attributes: { city: 'Rome' } },
      { traceId: 'day', spanId: 'a', service, start: -DAY, status: 'Error', duration: 5000 },
      { traceId: 'hour', spanId: 'a', service, start: -HOUR, attributes: { city: 'Rome', n: '7', empty: '' } },
      { traceId: 'hour', spanId: 'b', service, start: -HOUR + 1, attributes: { city: 'Oslo' } },
      { traceId: 'now', spanId: 'a', service, name: 'chat gpt', attributes: { city: 'Oslo' } },
      { traceId: 'now', spanId: 'b', service, start: -2 * DAY, attributes: { city: 'Oslo' } },
      { traceId: 'back', spanId: 'a', service, start: -2 * HOUR, duration: -5 },
      { traceId: 'pending', spanId: 'a', service, attributes: snapshot({ city: 'Rome' }) },
      { traceId: 'elsewhere', spanId: 'a', service: 'search-2', attributes: { city: 'Rome' } },
    ]),
  )

  it.each<[string, Omit<TraceQuery, 'limit'> & { limit?: number }, string[]]>([
    ['the newest first, each once, without snapshots', { service }, ['now', 'hour', 'back', 'day', 'old']],
    ['no more than asked for', { service, limit: 2 }, ['now', 'hour']],
    ['by span name', { service, spanName: 'chat gpt' }, ['now', 'old']],
    ['by an attribute of the span', { service, attributes: new Map([['city', 'Rome']]) }, ['hour', 'old']],
    ['by an attribute of the resource', { attributes: new Map([['service.name', 'search-2']]) }, ['elsewhere']],
    [
      'by all attributes of one span',
      {
        service,
        attributes: new Map([
          ['city', 'Rome'],
          ['n', '7'],
        ]),
      },
      ['hour'],
    ],
    [
      'nothing for attributes of two spans',
      {
        service,
        attributes: new Map([
          ['city', 'Oslo'],
          ['n', '7'],
        ]),
      },
      [],
    ],
    ['an empty value, where there is one', { service, attributes: new Map([['empty', '']]) }, ['hour']],
    ['nothing for an unknown key', { service, attributes: new Map([['none', 'x']]) }, []],
    ['by failure', { service, failed: true }, ['day']],
    ['by success', { service, failed: false }, ['now', 'hour', 'back', 'old']],
    ['by a column', { service, columns: new Map([['StatusCode', 'Error']]) }, ['day']],
    ['from a duration on', { service, minDuration: 5_000_000_000n }, ['day']],
    ['up to a duration', { service, maxDuration: 0n }, ['back']],
    ['from a time on, that time included', { service, since: nanos(-HOUR + 1) }, ['now', 'hour']],
    ['before a time, that time excluded', { service, until: nanos(-2 * HOUR) }, ['day', 'now', 'old']],
    ['nothing between', { service, since: nanos(1), until: nanos(HOUR) }, []],
    ['nothing for an unknown service', { service: 'none' }, []],
    ['values as they are, quotes included', { service: "search' OR 1 --" }, []],
  ])('finds %s', async (_what, query, expected) => {
    expect(await search(query)).toEqual(expected)
  })

  it('reports the earliest and latest start of the matching spans', async () => {
    const [found] = await opened.store.traces.searchTraces({
      service,
      until: nanos(0),
      since: nanos(-2 * HOUR + 1),
      limit: 1,
    })
    expect(found).toEqual({ traceId: traceId('hour'), first: nanos(-HOUR), last: nanos(-HOUR + 1) })
  })

  it.each([
    ['a plan', ATTR.planId, 'keyed-plan'],
    ['a root plan', ATTR.planRootId, 'keyed-root'],
    ['a parent plan', ATTR.planParentId, 'keyed-parent'],
    ['a step', ATTR.stepId, 'keyed-step'],
    ['a tool call', ATTR.toolCallId, 'keyed-call'],
    ['a conversation', ATTR.conversationId, 'keyed-talk'],
  ])('finds %s by its id, together with other conditions', async (_what, key, id) => {
    const traces = [`${id}-1`, `${id}-2`]
    await insert([
      { traceId: traces[0]!, spanId: 'a', start: -200 * DAY, service: id, attributes: { [key]: id, n: '1' } },
      { traceId: traces[0]!, spanId: 'b', start: -200 * DAY, service: id, attributes: { n: '2' } },
      { traceId: traces[1]!, spanId: 'a', start: -DAY, service: id, attributes: { [key]: id, n: '1' } },
      { traceId: `${id}-3`, spanId: 'a', service: id, attributes: { [key]: 'another', n: '1' } },
      { traceId: `${id}-4`, spanId: 'a', service: id, attributes: snapshot({ [key]: id, n: '1' }) },
    ])
    const by = (...others: [string, string][]) => search({ attributes: new Map([[key, id], ...others]) })
    expect(await by()).toEqual([traces[1], traces[0]])
    expect(await by(['n', '1'])).toEqual([traces[1], traces[0]])
    expect(await by(['n', '2'])).toEqual([])
    expect(await search({ attributes: new Map([[key, id]]), until: nanos(-2 * DAY) })).toEqual([traces[0]])
    expect(await search({ attributes: new Map([[key, `${id}-none`]]) })).toEqual([])
  })

  it('finds the same traces as a scan of every span, however far apart they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            traceId: fc.constantFrom('p', 'q', 'r', 's'),
            start: fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: -900 * DAY, max: 0 })),
            tag: fc.constantFrom('x', 'y'),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 4 }),
        fc.uuid(),
        async (drawn, limit, service) => {
          await insert(
            drawn.map(({ traceId, start, tag }, i) => ({
              traceId,
              spanId: `s${i}`,
              start,
              service,
              attributes: { tag },
            })),
          )
          const latest = new Map<string, number>()
          for (const { traceId, start, tag } of drawn) {
            if (tag === 'x') latest.set(traceId, Math.max(start, latest.get(traceId) ?? start))
          }
          const expected = [...latest].sort(([a, at], [b, bt]) => bt - at || (a < b ? -1 : 1)).slice(0, limit)
          const found = await search({ service, attributes: new Map([['tag', 'x']]), limit })
          expect(found).toEqual(expected.map(([name]) => name))
        },
      ),
      { numRuns: 12 },
    )
  })
})
