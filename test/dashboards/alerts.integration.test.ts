import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { ATTR } from '../../src/semconv/index.js'
import { freshStore, type FreshStore } from '../store/fresh-store.js'
import { insertSpans, NOON, planAttributes, type TestSpan } from '../store/spans.js'
import { ALERT_RULES, instancesAt } from './alert-rules.js'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

let count = 0
const id = (digits: number) => (++count).toString(16).padStart(digits, '0')

/** A plan that ended the given number of minutes before noon; its parts have its trace and its id. */
function plan(of: { workflow: string; state: string; began?: number; ended?: number; budget?: number; root?: string }) {
  const { workflow, state, began = 10, ended = 2, budget, root } = of
  const [traceId, spanId, planId] = [id(32), id(16), `plan-${count}`]
  const attributes = {
    ...planAttributes({ planId, state, ...(root !== undefined && { rootPlanId: root }) }),
    [ATTR.agentName]: workflow,
    ...(budget !== undefined && { [ATTR.budgetTokens]: String(budget) }),
  }
  const span = { traceId, spanId, name: `invoke_workflow ${workflow}`, attributes }
  return { ...span, start: -began * MINUTE, duration: (began - ended) * MINUTE } satisfies TestSpan
}

function below(above: TestSpan, of: { kind: string; name: string; began: number; minutes?: number }, more = {}) {
  const planId = above.attributes?.[ATTR.planId] ?? ''
  const attributes = { [ATTR.spanKind]: of.kind, [ATTR.planId]: planId, [ATTR.planRootId]: planId, ...more }
  const span = { traceId: above.traceId, parentSpanId: above.spanId, spanId: id(16), name: of.name, attributes }
  return { ...span, start: -of.began * MINUTE, duration: (of.minutes ?? 0.1) * MINUTE } satisfies TestSpan
}

const times = (many: number, make: () => TestSpan): TestSpan[] => Array.from({ length: many }, make)

const longAgo = 3 * 1440
const dear = plan({ workflow: 'dear', state: 'completed', began: longAgo, budget: 100 })
const busy = plan({ workflow: 'busy', state: 'completed' })
const call = (tool: string, failed: boolean): TestSpan => ({
  ...below(busy, { kind: 'tool', name: `execute_tool ${tool}`, began: 30 }, { [ATTR.toolName]: tool }),
  status: failed ? 'Error' : 'Unset',
})
const modelCall = (service: string, { began, cost }: { began: number; cost: number }): TestSpan => ({
  ...below(busy, { kind: 'llm', name: 'chat gpt', began }, { [ATTR.usageCostUsd]: String(cost) }),
  service,
})

const foreign: TestSpan = {
  traceId: id(32),
  spanId: id(16),
  name: 'agent run',
  start: -9 * MINUTE,
  duration: 5 * MINUTE,
  status: 'Error',
  service: 'python',
  attributes: { 'openinference.span.kind': 'AGENT' },
}

const SPANS: readonly TestSpan[] = [
  plan({ workflow: 'trip', state: 'failed', began: 5 }),
  plan({ workflow: 'trip', state: 'failed', began: longAgo }),
  plan({ workflow: 'trip', state: 'failed', began: 60, ended: 40 }),
  plan({ workflow: 'trip', state: 'failed', root: 'another' }),
  plan({ workflow: 'trip', state: 'completed' }),
  foreign,
  dear,
  below(
    dear,
    { kind: 'llm', name: 'chat gpt', began: 4 },
    { [ATTR.usageInputTokens]: '90', [ATTR.usageOutputTokens]: '20' },
  ),
  plan({ workflow: 'dear', state: 'completed', budget: 100 }),
  busy,
  ...times(7, () => call('search', false)),
  ...times(13, () => call('search', true)),
  ...times(19, () => call('rare', true)),
  ...times(6, () => plan({ workflow: 'report', state: 'completed', ended: 25, began: longAgo })),
  ...times(4, () => plan({ workflow: 'report', state: 'failed', ended: 25, began: longAgo })),
  ...times(9, () => plan({ workflow: 'seldom', state: 'failed', ended: 25, began: 50 })),
  ...times(30, () => plan({ workflow: 'burning', state: 'completed', ended: 180, began: 190 })),
  ...times(8, () => plan({ workflow: 'burning', state: 'failed', began: 15, ended: 5 })),
  ...times(2, () => plan({ workflow: 'burning', state: 'completed', began: 15, ended: 5 })),
  ...times(9, () => plan({ workflow: 'recovered', state: 'failed', ended: 45, began: 50 })),
  ...times(2, () => plan({ workflow: 'recovered', state: 'completed' })),
  ...times(2, () => plan({ workflow: 'tolerable', state: 'failed', ended: 25, began: 40 })),
  ...times(8, () => plan({ workflow: 'tolerable', state: 'completed', ended: 25, began: 40 })),
  modelCall('lavish', { began: 30, cost: 6 }),
  modelCall('lavish', { began: 600, cost: 24 }),
  modelCall('steady', { began: 30, cost: 6 }),
  modelCall('steady', { began: 600, cost: 96 }),
  modelCall('cheap', { began: 30, cost: 4 }),
]

/** The findings of each alert at noon: the labels of an instance and its number. */
const FOUND: Readonly<Record<string, readonly (readonly [labels: string, value: number])[]>> = {
  'planspan-plans-broken': [
    ['burning, shop, failed', 8],
    ['openinference, python, failed', 1],
    ['trip, shop, failed', 2],
  ],
  'planspan-budget-exceeded': [['dear, shop', 1]],
  'planspan-nothing-arrives': [['', 2]],
  'planspan-objective-missed': [
    ['burning, shop', 80],
    ['report, shop', 40],
  ],
  'planspan-spend-rate': [['lavish', 6]],
  'planspan-tool-error-rate': [['search, shop', 65]],
}

describe('an alert reports a count per workflow, tool or reason', () => {
  let server: FreshStore
  beforeAll(async () => {
    server = await freshStore()
    const { client, database } = server.store
    await insertSpans(client, database, [...SPANS])
    await insertSpans(client, database, [...SPANS])
    await server.index()
  })
  afterAll(() => server.close())

  const ask = async (query: string, at: number) => {
    const source = { url: inject('clickhouseReaderUrl'), database: server.store.database }
    const found = await instancesAt(at, query, source)
    return found
      .map(({ labels, value }): [string, number] => [
        Object.entries(labels)
          .flatMap(([name, text]) => (name === 'Plan' || name === 'Details' ? [] : text))
          .join(', '),
        value,
      ])
      .toSorted()
  }

  test('each rule is tested', () => {
    const told = ['planspan-unsafe-action-taken', 'planspan-long-waits']
    expect(ALERT_RULES.map(({ uid }) => uid).toSorted()).toEqual([...Object.keys(FOUND), ...told].toSorted())
  })

  test.each(ALERT_RULES.filter(({ uid }) => uid in FOUND))('$title', async ({ uid, query, above }) => {
    expect(await ask(query, NOON)).toEqual(FOUND[uid])
    // Two days later nothing is recent, except the silence.
    const later = (await ask(query, NOON + 2 * DAY)).filter(([, value]) => value > above)
    expect(later.length > 0).toBe(uid === 'planspan-nothing-arrives')
  })

  test('a store without any spans causes no silence alert', async () => {
    const { query } = ALERT_RULES.find(({ uid }) => uid === 'planspan-nothing-arrives')!
    expect(await ask(query, NOON - 100 * DAY)).toEqual([])
  })
})
