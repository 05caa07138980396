import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import type { ListPlansOptions, PlanSummary } from '../../src/store/index.js'
import { freshStore, type FreshStore } from './fresh-store.js'
import { agentAttributes, insertSpans, nanos, planAttributes, type PlanSpanFields, type TestSpan } from './spans.js'

let { store, fresh, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, close } = await freshStore())
  // Merges are off, so that each test reads the parts as they were written.
  await onEachTable('SYSTEM STOP MERGES')
})

afterAll(() => close())

const TABLES = ['otel_traces', 'otel_traces_trace_id_ts', 'plan_keys', 'plan_rows', 'span_rows', 'step_rows']

const onEachTable = (query: string) =>
  Promise.all(TABLES.map((table) => store.client.command({ query: `${query} ${fresh.database}.${table}` })))

afterEach(async () => {
  await onEachTable('TRUNCATE TABLE')
})

const insert = (...spans: TestSpan[]) => insertSpans(store.client, fresh.database, spans)

const planSpan = (traceId: string, fields: PlanSpanFields, span: Partial<TestSpan> = {}): TestSpan => ({
  traceId,
  spanId: `plan-${fields.planId}`,
  attributes: planAttributes(fields),
  ...span,
})

const list = async (options?: ListPlansOptions): Promise<readonly PlanSummary[]> =>
  (await store.reader.listPlans(options)).plans

const traces = async (options?: ListPlansOptions) => (await list(options)).map(({ traceId }) => traceId)

describe('listPlans', () => {
  it('returns the list values of a live plan', async () => {
    await insert(
      { traceId: 't', spanId: 'a', start: 10, duration: 80, status: 'Error', attributes: agentAttributes('p') },
      {
        ...planSpan(
          't',
          { planId: 'p', title: 'Trip', state: 'completed' },
          { start: 5, duration: 100, service: 'trip' },
        ),
        attributes: {
          ...planAttributes({ planId: 'p', title: 'Trip', state: 'completed' }),
          [ATTR.agentName]: 'travel',
          [ATTR.status]: 'FINISHED',
          [ATTR.inputMessages]: '[{"role":"user","parts":[{"type":"text","content":"To Rome \\"now\\""}]}]',
        },
      },
    )
    expect(await list()).toEqual([
      {
        planId: 'p',
        rootPlanId: 'p',
        traceId: 't',
        live: true,
        dialect: '',
        source: '',
        recordKey: '',
        digest: '',
        convention: '',
        mappingVersion: 1,
        redacted: false,
        planSpan: 'final',
        role: 'plan',
        name: 'travel',
        title: 'Trip',
        request: 'To Rome "now"',
        state: 'completed',
        status: 'FINISHED',
        serviceName: 'trip',
        startTimeUnixNano: nanos(5),
        endTimeUnixNano: nanos(105),
        waitingSinceUnixNano: undefined,
        stepCount: 0,
        stepsBegun: 0,
        stepsCompleted: 0,
        currentStep: '',
        headline: [
          {
            kind: 'fault',
            text: expect.stringContaining('failed'),
            spanId: expect.any(String),
            sinceUnixNano: undefined,
          },
        ],
        tokens: 0,
        inputTokens: 0,
        outputTokens: 0,
        cacheReadTokens: 0,
        costUsd: undefined,
        risk: undefined,
        judged: 0,
        unsafe: 0,
        unsafeStopped: 0,
        unsafeTaken: 0,
        cursor: expect.any(String),
        spans: 2,
        errors: 1,
        failures: 1,
      },
    ])
  })

  it('counts a span once that was written many times, over several days and parts', async () => {
    const spans = [
      planSpan('t', { planId: 'p', state: 'completed' }, { duration: 9 * 86_400_000 }),
      { traceId: 't', spanId: 'a', start: 8 * 86_400_000, status: 'Error' as const, attributes: agentAttributes('p') },
    ]
    await insert(...spans)
    for (const span of [...spans, ...spans]) await insert(span)
    expect(await list()).toMatchObject([
      { planId: 'p', spans: 2, errors: 1, startTimeUnixNano: nanos(0), endTimeUnixNano: nanos(9 * 86_400_000) },
    ])
  })

  it('counts a span that ends before it starts once, and ends it at its start', async () => {
    await insert(planSpan('t', { planId: 'p', state: 'completed' }, { start: 50, duration: -40 }))
    expect(await list()).toMatchObject([{ startTimeUnixNano: nanos(50), endTimeUnixNano: nanos(50) }])
  })

  it.each([
    ['a final span before its snapshots', [{ state: 'completed' }, { state: 'running', snapshot: 7 }], 'completed'],
    [
      'of snapshots the highest',
      [
        { state: 'waiting', snapshot: 10 },
        { state: 'running', snapshot: 9 },
      ],
      'waiting',
    ],
    [
      'a later segment’s snapshot before an earlier end',
      [{ state: 'waiting' }, { state: 'running', snapshot: 0, segment: 1 }],
      'running',
    ],
    ['planning, when nothing is said and no end is there', [{ snapshot: 0 }], 'planning'],
    ['completed, when nothing is said and the end is there', [{}], 'completed'],
  ])('determines the state %s', async (_what, spans, state) => {
    for (const [i, fields] of spans.entries()) {
      await insert(planSpan('t', { planId: 'p', ...fields }, { spanId: `s${String(i)}`, start: 100 - i }))
    }
    expect(await list()).toMatchObject([{ state }])
  })

  it('keeps the values of a resumed plan that its later segment does not repeat', async () => {
    await insert(planSpan('t', { planId: 'p', title: 'Trip', state: 'waiting' }, { spanId: 'a' }))
    await insert(planSpan('t', { planId: 'p', segment: 1, snapshot: 0 }, { spanId: 'b', start: 9 }))
    expect(await list()).toMatchObject([{ title: 'Trip', planSpan: 'pending', startTimeUnixNano: nanos(0) }])
  })

  it('does not count snapshots as spans', async () => {
    await insert(planSpan('t', { planId: 'p', state: 'running', snapshot: 0 }))
    expect(await list()).toMatchObject([{ planSpan: 'pending', spans: 0 }])
  })

  it('reports only live plans as interrupted that are silent for longer than their announced heartbeat', async () => {
    await insert(planSpan('t', { planId: 'p', state: 'running', snapshot: 0, heartbeatMs: 1000 }, { duration: 0 }))
    await insert(planSpan('u', { planId: 'q', state: 'running', snapshot: 0 }, { duration: 0, start: -1 }))
    const states = async (now: bigint) => (await list({ now })).map(({ state }) => state)
    expect(await states(nanos(1000))).toEqual(['running', 'running'])
    expect(await states(nanos(1000) + 1n)).toEqual(['interrupted', 'running'])
    expect(await traces({ now: nanos(1000) + 1n, states: ['interrupted'] })).toEqual(['t'])
  })

  it('lists root plans with the totals of their sub-plans, and a sub-plan whose root is missing', async () => {
    await insert(
      planSpan('t', { planId: 'root', state: 'running' }, { duration: 1 }),
      planSpan(
        't',
        { planId: 'sub', rootPlanId: 'root', state: 'completed' },
        { start: 5, duration: 5, status: 'Error' },
      ),
      planSpan('u', { planId: 'lost', rootPlanId: 'gone', state: 'completed' }, { start: -1 }),
    )
    expect(await list()).toMatchObject([
      { planId: 'root', spans: 2, errors: 1, endTimeUnixNano: nanos(10) },
      { planId: 'lost', rootPlanId: 'gone', spans: 1 },
    ])
  })

  it('lists only the record’s own plan for an import, even if its root is another plan', async () => {
    const record = { dialect: 'plan-execution', key: 'gone' }
    await insert(
      planSpan('t', { planId: 'sub', rootPlanId: 'gone', state: 'completed', record }),
      planSpan('t', { planId: 'subsub', rootPlanId: 'gone', state: 'completed' }, { duration: 7 }),
    )
    expect(await list()).toMatchObject([{ planId: 'sub', spans: 2, endTimeUnixNano: nanos(7) }])
  })

  it('lists a plan when only an agent of it has arrived', async () => {
    await insert({ traceId: 't', spanId: 'a', attributes: agentAttributes('p') })
    expect(await list()).toMatchObject([{ planId: 'p', planSpan: 'missing', state: 'interrupted', role: 'plan' }])
  })

  it('lists a record of an agent without its plan', async () => {
    const record = { dialect: 'plan-execution', key: 'step-1' }
    const attributes = {
      ...planAttributes({ planId: 'step-1', state: 'completed', record }),
      ...agentAttributes('step-1', '', 'step-1'),
      [ATTR.agentName]: 'DEFAULT_AGENT',
    }
    await insert({ traceId: 't', spanId: 'a', attributes })
    expect(await list()).toMatchObject([{ planId: 'step-1', role: 'agent', name: 'DEFAULT_AGENT', planSpan: 'final' }])
  })

  const record = { dialect: 'trajectory', key: 'k' }
  it.each<[string, Partial<PlanSpanFields>, Partial<TestSpan>]>([
    ['the latest time in it', { state: 'running' }, { duration: 11 }],
    ['ended before unended', { state: 'completed', version: 0 }, {}],
    ['the newer mapping version', { state: 'running', version: 2, redacted: true }, {}],
    ['unredacted before redacted', { state: 'running', record: { ...record, digest: 'a' } }, {}],
  ])('lists the generation with %s', async (_what, fields, span) => {
    await insert(planSpan('z', { planId: 'p', state: 'running', redacted: true, record }, { duration: 10 }))
    await insert(planSpan('a', { planId: 'p', record, ...fields }, { duration: 10, ...span }))
    expect(await traces()).toEqual(['a'])
    expect(await traces({ all: true })).toEqual(['z', 'a'])
    expect(await store.reader.selectTrace('p')).toMatchObject({ traceId: 'a' })
  })

  it('lists the generation with more spans, then with the greater digest', async () => {
    const larger = { ...record, spans: 2 }
    await insert(planSpan('a', { planId: 'p', state: 'running', record: larger }, { duration: 10 }))
    await insert(planSpan('z', { planId: 'p', state: 'running', version: 2, record }, { duration: 10 }))
    expect(await traces()).toEqual(['a'])
    await insert(planSpan('b', { planId: 'p', state: 'running', record: { ...larger, digest: 'e' } }, { duration: 10 }))
    expect(await traces()).toEqual(['b'])
  })

  it('does not match an earlier generation with a filter', async () => {
    await insert(planSpan('old', { planId: 'p', state: 'running', record }, { duration: 1 }))
    await insert(planSpan('new', { planId: 'p', state: 'completed', record }, { duration: 2, start: 9 }))
    expect(await traces({ states: ['running'] })).toEqual([])
    expect(await traces({ until: nanos(5) })).toEqual([])
    expect(await traces({ states: ['running'], all: true })).toEqual(['old'])
  })

  it('filters by dialect, source, state and start', async () => {
    await insert(
      planSpan('live', { planId: 'l', state: 'running' }, { start: 0 }),
      planSpan('imp', { planId: 'i', state: 'completed', record: { dialect: 'plan-act:sse', key: 'i' } }, { start: 1 }),
      planSpan(
        'src',
        { planId: 's', state: 'failed', record: { dialect: 'plan-act', key: 's', source: 'ci' } },
        { start: 2 },
      ),
    )
    expect(await traces()).toEqual(['src', 'imp', 'live'])
    expect(await traces({ dialect: 'plan-act' })).toEqual(['src', 'imp'])
    expect(await traces({ dialect: 'plan-act:sse' })).toEqual(['imp'])
    expect(await traces({ dialect: 'plan-execution' })).toEqual(['live'])
    expect(await traces({ source: '' })).toEqual(['imp'])
    expect(await traces({ source: 'ci' })).toEqual(['src'])
    expect(await traces({ states: ['running'] })).toEqual(['live'])
    expect(await traces({ states: ['running', 'failed'] })).toEqual(['src', 'live'])
    expect(await traces({ since: nanos(1) })).toEqual(['src', 'imp'])
    expect(await traces({ until: nanos(1) })).toEqual(['live'])
  })

  describe('pages', () => {
    // Live plans, three per trace, in two parts each; and every fourth plan an import of three generations that start
    // at other times. Many starts are equal.
    const spans = Array.from({ length: 48 }, (_, i): TestSpan[] => {
      const planId = `p${String(i)}`
      const start = Math.floor(i / 5)
      if (i % 4 > 0) {
        const traceId = `live-${String(i % 16)}`
        return [planSpan(traceId, { planId, state: i % 3 ? 'completed' : 'running' }, { start, duration: i })]
      }
      const record = { dialect: 'trajectory', key: planId }
      return [0, 1, 2].map((generation) =>
        planSpan(
          `import-${planId}-${String(generation)}`,
          { planId, state: 'completed', record },
          {
            start: start - generation * 7,
            duration: 100 + ((generation + i) % 3) * 50,
          },
        ),
      )
    }).flat()

    it.each<[string, ListPlansOptions]>([
      ['no filter', {}],
      ['all generations', { all: true }],
      ['a state', { states: ['running'] }],
      ['times', { since: nanos(2), until: nanos(6) }],
      ['a dialect', { dialect: 'trajectory' }],
    ])('contain each plan once, in the order of a single page with all plans, with %s', async (_what, options) => {
      await insert(...spans)
      await insert(
        ...spans
          .filter((_, i) => i % 2 === 0)
          .map((span) => ({ ...span, spanId: 'other', start: (span.start ?? 0) + 3 })),
      )
      const key = ({ planId, traceId, state, spans }: PlanSummary) => [planId, traceId, state, spans]
      const paged: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await store.reader.listPlans({ ...options, limit: 7, ...(cursor === undefined ? {} : { cursor }) })
        paged.push(...page.plans.map(key))
        cursor = page.cursor
      } while (cursor !== undefined)
      const whole = (await list({ ...options, limit: 1000 })).map(key)
      expect(whole.length).toBeGreaterThan(7)
      expect(paged).toEqual(whole)
    })
  })

  it.each<ListPlansOptions>([
    { cursor: 'nonsense' },
    { limit: 0 },
    { limit: 1001 },
    { states: ['running', 'done' as never] },
  ])('rejects %j', async (options) => {
    await expect(list(options)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('selectTrace', () => {
  const record = (dialect: string, source = '') => ({ dialect, source, key: `${dialect}${source}` })

  it('prefers a live trace to imports, and of live ones the latest start', async () => {
    await insert(planSpan('early', { planId: 'p', state: 'completed' }, { start: 0, duration: 99 }))
    await insert(planSpan('late', { planId: 'p', state: 'running' }, { start: 1 }))
    await insert(planSpan('import', { planId: 'p', record: record('plan-execution') }, { start: 50, duration: 500 }))
    expect(await store.reader.selectTrace('p')).toEqual({
      traceId: 'late',
      live: true,
      dialect: '',
      source: '',
      recordKey: '',
    })
    expect(await store.reader.selectTrace('p', { dialect: 'plan-execution' })).toMatchObject({ traceId: 'late' })
    expect(await store.reader.selectTrace('p', { trace: 'early' })).toMatchObject({ traceId: 'early' })
    expect(await store.reader.selectTrace('p', { source: '' })).toMatchObject({ traceId: 'import', live: false })
  })

  it('prefers the dialect asked for to a live trace', async () => {
    await insert(planSpan('live', { planId: 'p', state: 'running' }))
    await insert(planSpan('traj', { planId: 'p', record: record('trajectory:traj') }))
    expect(await store.reader.selectTrace('p', { dialect: 'trajectory' })).toMatchObject({ traceId: 'traj' })
    expect(await store.reader.selectTrace('p', { dialect: 'review-log' })).toMatchObject({ traceId: 'live' })
  })

  it('selects the source with the latest time', async () => {
    await insert(planSpan('a', { planId: 'p', record: record('trajectory', 'a') }, { duration: 3 }))
    await insert(planSpan('b', { planId: 'p', record: record('trajectory', 'b') }, { duration: 2 }))
    expect(await store.reader.selectTrace('p')).toMatchObject({ traceId: 'a', source: 'a' })
    expect(await store.reader.selectTrace('p', { source: 'b' })).toMatchObject({ traceId: 'b' })
  })

  it('finds the trace of a sub-plan and of a step', async () => {
    await insert(
      planSpan('t', { planId: 'root', record: record('plan-execution') }),
      { traceId: 't', spanId: 's', attributes: planAttributes({ planId: 'sub', rootPlanId: 'root' }) },
      { traceId: 't', spanId: 'a', attributes: agentAttributes('root', 'root', 'step-9') },
    )
    const expected = { traceId: 't', live: false, dialect: 'plan-execution', source: '', recordKey: 'plan-execution' }
    expect(await store.reader.selectTrace('sub')).toEqual(expected)
    expect(await store.reader.selectTrace('step-9', { kind: 'step' })).toEqual(expected)
  })

  it('returns undefined for an unknown id', async () => {
    expect(await store.reader.selectTrace('nothing')).toBeUndefined()
  })
})
